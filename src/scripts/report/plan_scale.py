"""Balance of the shards, and wall time on N cores between two bounds."""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(configurations, made, *, folder, config, wait):
    from pathlib import Path

    from pinetum.report import scaling
    from pinetum.workflow.config import load_yaml, merged
    from pinetum.workflow.jobs import write_records

    jobs = scaling.read_jobs(folder)
    shards = scaling.shard_table(jobs)
    write_records(shards, made.shards)
    base = load_yaml(configurations[0])
    plans = {"this run": config}
    plans |= {Path(name).name: merged(base, load_yaml(name)) for name in configurations[1:]}
    scaling.write_scaling(made.page, jobs, shards, plans, wait)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.configurations,
            snakemake.output,
            folder=results_folder() / snakemake.params.folder,
            config=snakemake.params.config,
            wait=snakemake.params.wait,
        )
