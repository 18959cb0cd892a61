"""scikit-learn's backward selector beside ours, on the same folds."""

from pinetum.workflow.jobs import job_log


def main(records, table, *, settings, seed):
    import pandas as pd

    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.selection.rival import RIVAL_COLUMNS, compare_rival, rival_table

    found = compare_rival(settings, seed)
    write_records(found, records, columns=RIVAL_COLUMNS)
    write_records(rival_table(pd.DataFrame(found, columns=RIVAL_COLUMNS)), table)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            snakemake.output.table,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
