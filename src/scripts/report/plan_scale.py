"""Balance of the shards, wall time on N cores, and what a scheduler does with 10,000 of them."""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(configurations, made, *, folder, config, wait, seed):
    from pathlib import Path

    from pinetum.report import scaling, scheduler, style
    from pinetum.workflow.config import load_yaml, merged
    from pinetum.workflow.jobs import write_records

    jobs = scaling.read_jobs(folder)
    shards = scaling.shard_table(jobs)
    write_records(shards, made.shards)
    base = load_yaml(configurations[0])
    plans = {"this run": config}
    plans |= {Path(name).name: merged(base, load_yaml(name)) for name in configurations[1:]}
    scaling.write_scaling(made.page, jobs, shards, plans, wait)
    records = scheduler.study(seed=seed)
    write_records(records, made.scheduler)
    style.write_vector_forms(made.vector)
    scheduler.draw(records, made.figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.configurations,
            snakemake.output,
            folder=results_folder() / snakemake.params.folder,
            config=snakemake.params.config,
            wait=snakemake.params.wait,
            seed=snakemake.params.seed,
        )
