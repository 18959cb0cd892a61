"""Split the enumeration of a user's own table into shards of about the same size."""

from pinetum.workflow.jobs import job_log


def main(table, target, *, seed, settings):
    import json

    from pinetum.data.dataset import Dataset
    from pinetum.distinct.study import own
    from pinetum.files import whole_file

    with whole_file(target) as file:
        json.dump(own.plan(Dataset.load(table), settings, seed), file)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.output.plan,
            seed=snakemake.params.seed,
            settings=snakemake.params.settings,
        )
