"""Encode one of the user's own tables."""

from pinetum.workflow.jobs import job_log


def main(dataset, record, **options):
    from pinetum.workflow.serving import encode_to_files

    encode_to_files(dataset=dataset, record=record, **options)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.dataset,
            snakemake.output.record,
            name=snakemake.wildcards.table,
            options=snakemake.params.options,
        )
