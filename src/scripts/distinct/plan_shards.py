"""Split an enumeration into shards of about the same size."""

from pinetum.workflow.jobs import job_log


def main(plan, *, seed, options, shards, criterion, cache_mb):
    import json

    from pinetum.distinct.engine import Engine
    from pinetum.distinct.study.records import loaded
    from pinetum.distinct.study.shards import plan_shards
    from pinetum.files import whole_file
    from pinetum.induction import yadt
    from pinetum.randomness import stream

    data, _ = loaded(options["dataset"], [options["min_cases"]])
    planned = None
    if data is not None:
        engine = Engine(data, yadt(options["min_cases"], criterion), cache_mb=cache_mb)
        planned = plan_shards(
            engine, shards, stream(seed, "distinct", "shards", data.name, options["min_cases"])
        )
    with whole_file(plan) as file:
        json.dump(planned, file)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.plan,
            seed=snakemake.params.seed,
            options=snakemake.params.options,
            shards=snakemake.params.shards,
            criterion=snakemake.params.criterion,
            cache_mb=snakemake.params.cache_mb,
        )
