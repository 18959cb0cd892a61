"""Every rival beside ours: ratios, tests and effect sizes."""

from pinetum.workflow.jobs import job_log, write_records


def main(records, summary, forms, friedman, limits):
    from pinetum_benchmarks.peers import summary as made

    frame = made.read_all(records)
    write_records(made.summary_rows(frame), summary, made.SUMMARY)
    write_records(made.form_rows(frame), forms, made.FORMS)
    write_records(made.friedman_rows(frame), friedman, made.FRIEDMAN)
    write_records(made.limit_rows(frame), limits, made.LIMITS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.records,
            snakemake.output.summary,
            snakemake.output.forms,
            snakemake.output.friedman,
            snakemake.output.limits,
        )
