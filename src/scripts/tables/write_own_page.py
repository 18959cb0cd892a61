"""The summary and the page of one of the user's own tables."""

from pinetum.workflow.jobs import job_log, tell


def main(compared, studies, outputs, *, name):
    from pathlib import Path

    from pinetum.own.page import write_page
    from pinetum.own.summary import SUMMARY, read_studies, summary_of
    from pinetum.workflow.jobs import read_records, write_records

    summary = summary_of(read_records(compared), read_studies(studies))
    write_records(summary, outputs.summary, columns=SUMMARY)
    write_page(name, summary, Path(compared).parent, outputs.page)
    silent = summary[(summary["study"] != "") & (summary["status"] != "ok")]
    tell(*(f"{name}: {row.study}: {row.status}, {row.note}" for row in silent.itertuples()))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.compared,
            dict(zip(snakemake.params.studies, snakemake.input.studies, strict=True)),
            snakemake.output,
            name=snakemake.wildcards.table,
        )
