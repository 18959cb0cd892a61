"""What a finished run of everything gave, as a page to keep."""

from pinetum.workflow.jobs import job_log


def main(files, page, *, full):
    from pinetum.report.full_run import write_full_run

    write_full_run(
        page,
        counts=files.counts,
        cost=files.cost,
        shards=files.shards,
        availability=files.availability,
        provenance=files.provenance,
        records=files.records,
        full=full,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output.page, full=snakemake.input.full)
