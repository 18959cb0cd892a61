"""One line per data set of the catalogue: which source served it, or why none did."""

from pinetum.workflow.jobs import job_log


def main(records, table, *, catalogue):
    from pinetum.workflow.jobs import write_records
    from pinetum.workflow.serving import COLUMNS, availability

    write_records(availability(records, catalogue), table, columns=COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.records, snakemake.output.table, catalogue=snakemake.params.catalogue)
