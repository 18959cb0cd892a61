"""scikit-learn's backward selector beside ours, on the same folds."""

from pinetum.workflow.jobs import job_log


def main(records, *, settings, seed):
    from pinetum.elimination.study.records import RIVAL_COLUMNS, compare_rival
    from pinetum.workflow.jobs import write_records

    write_records(compare_rival(settings, seed), records, columns=RIVAL_COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records, settings=snakemake.params.settings, seed=snakemake.params.seed
        )
