"""A user's own table: number of distinct trees, the best subsets, what near-optimal trees use."""

from pinetum.workflow.jobs import job_log


def main(table, plan, parts, listed, target, *, seed, settings):
    import json
    from pathlib import Path

    from pinetum.data.dataset import Dataset
    from pinetum.distinct.study import figures, own
    from pinetum.distinct.study import records as study
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records, write_records

    dataset = Dataset.load(table)
    study.warm(dataset)
    shards = [
        [json.loads(Path(file).read_text()) for file in files] for files in (plan, parts, listed)
    ]
    records, best, features = own.explore(
        dataset, settings, seed, (shards[0] or [None])[0], *shards[1:]
    )
    write_records(records, target.records)
    write_records(best, target.best, columns=["rank", "search_error", "size", "subset"])
    write_records(features, target.features, columns=study.RASHOMON)
    with style.guarded(target.figure):
        style.save(figures.rashomon(read_records(target.features)), target.figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.input.plan,
            snakemake.input.parts,
            snakemake.input.listed,
            snakemake.output,
            seed=snakemake.params.seed,
            settings=snakemake.params.settings,
        )
