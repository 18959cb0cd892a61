"""All records of the study, the tables, and our side of the paper's statements."""

from pinetum.workflow.jobs import job_log


def main(source, target, *, options):
    import json
    from pathlib import Path

    import pandas as pd

    from pinetum.distinct.study import summary
    from pinetum.distinct.study.merging import merge_shards
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import provenance, read_records, write_records

    frames = {}
    for name in ("enumeration", "sizes", "optimum", "rashomon"):
        frames[name] = pd.concat([read_records(path) for path in source[name]], ignore_index=True)
        write_records(frames[name], target[name])
    errors = pd.concat([read_records(path) for path in source.search_errors], ignore_index=True)
    errors = errors.sort_values(["m", "split"], kind="stable")
    write_records(errors, target.search_errors)
    plan = json.loads(Path(source.plan).read_text())
    parts = [json.loads(Path(path).read_text()) for path in source.parts]
    row = {"dataset": options["dataset"], "m": options["min_cases"]}
    if plan is None:
        row |= {"status": "no_data"}
    else:
        merged = merge_shards(plan, parts)
        # How far an enumeration came that its limit cut short depends on the number of shards: it
        # is not told.
        whole = merged["status"] == "ok"
        row |= {"status": merged["status"]} | {
            key: merged[key] if whole else None for key in ("distinct", "built")
        }
        row |= {
            f"rate_longest_over_mean_{load}": merged[f"{load}_longest_over_mean"]
            for load in ("built", "work")
        }
        row |= {
            "seconds": merged["seconds"],
            "seconds_longest_over_mean": merged["seconds_longest_over_mean"],
        }
    write_records([row | provenance()], target.sharding)
    write_records(summary.smallest_m(frames["enumeration"]), target.smallest_m)
    write_records(summary.optimum_table(frames["optimum"]), target.optimum_table)
    records = summary.reproduce(
        read_published(source.published),
        frames["enumeration"],
        read_records(source.orders),
        read_records(source.exhaustive),
        read_records(target.search_errors),
    )
    write_records(records, target.reproduced)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, options=snakemake.params.options)
