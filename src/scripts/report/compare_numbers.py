"""Every published number beside ours, with its verdict."""

from pinetum.workflow.jobs import job_log


def main(compared, comparison, counts):
    import pandas as pd

    from pinetum.report.comparison import COMPARISON_COLUMNS, read_text, verdict_counts
    from pinetum.workflow.jobs import write_records

    frames = [read_text(path, COMPARISON_COLUMNS) for path in compared]
    rows = pd.concat(frames) if frames else pd.DataFrame(columns=COMPARISON_COLUMNS)
    write_records(rows, comparison)
    write_records(verdict_counts(rows), counts)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.compared,
            snakemake.output.comparison,
            snakemake.output.counts,
        )
