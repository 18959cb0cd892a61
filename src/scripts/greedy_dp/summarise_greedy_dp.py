"""The shards of the random tables together: all records, their summary, and our side of Tables
1-5.
"""

from pinetum.workflow.jobs import job_log


def main(shards, clocks, published, records, clock, summary, reproduced, *, groups, shape):
    import pandas as pd

    from pinetum.greedy_dp.study.summary import reproduce, summarise
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import provenance, write_records

    frame = pd.concat([pd.read_csv(shard) for shard in shards]).sort_values("table", kind="stable")
    write_records(frame, records)
    spent = pd.concat([pd.read_csv(part) for part in clocks]).sum()
    line = {"tables": int(spent["tables"])} | spent.drop("tables").to_dict()
    line["seconds_total"] = spent.drop("tables").sum()
    write_records([line | provenance()], clock)
    table = summarise(frame, groups)
    write_records(table, summary)
    write_records(
        reproduce(table, read_published(published), shape=shape, groups=groups), reproduced
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.shards,
            snakemake.input.clocks,
            snakemake.input.published,
            snakemake.output.records,
            snakemake.output.clock,
            snakemake.output.summary,
            snakemake.output.reproduced,
            groups=snakemake.params.groups,
            shape=snakemake.params.shape,
        )
