"""What every file of the run is, what made it and what it came from, as an RO-Crate."""

from pinetum.workflow.jobs import job_log


def main(files, provenance, crate, *, contents):
    from pinetum.report.crate import write_crate

    write_crate(crate, files=files, provenance=provenance, contents=contents)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            snakemake.input.provenance,
            snakemake.output.crate,
            contents=snakemake.params.contents,
        )
