"""Count the trees of one shard of a user's own table, and search it for the best subset."""

from pinetum.workflow.jobs import job_log


def main(table, plan, target, *, shard, seed, settings):
    import json
    from pathlib import Path

    from pinetum.data.dataset import Dataset
    from pinetum.distinct.study import own
    from pinetum.distinct.study.records import warm
    from pinetum.files import whole_file

    dataset = Dataset.load(table)
    warm(dataset)
    with whole_file(target) as file:
        json.dump(
            own.search_shard(dataset, settings, seed, json.loads(Path(plan).read_text()), shard),
            file,
        )


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.input.plan,
            snakemake.output.part,
            shard=int(snakemake.wildcards.shard),
            seed=snakemake.params.seed,
            settings=snakemake.params.settings,
        )
