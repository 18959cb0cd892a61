"""Every rival beside ours: ratios, tests and effect sizes."""

from pinetum.workflow.jobs import job_log, write_records


def main(records, summary, friedman, limits):
    from pinetum.peers.summary import FRIEDMAN, LIMITS, SUMMARY, friedman_rows, limit_rows, read_all, summary_rows

    frame = read_all(records)
    write_records(summary_rows(frame), summary, SUMMARY)
    write_records(friedman_rows(frame), friedman, FRIEDMAN)
    write_records(limit_rows(frame), limits, LIMITS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.records, snakemake.output.summary, snakemake.output.friedman, snakemake.output.limits)
