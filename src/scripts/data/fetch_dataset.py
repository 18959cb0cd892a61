"""Serve one data set from the first source that can: the encoded table, and a line on where it came
from.
"""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(dataset, record, **options):
    from pinetum.workflow.serving import serve_to_files

    serve_to_files(dataset=dataset, record=record, **options)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.dataset,
            snakemake.output.record,
            name=snakemake.wildcards.dataset,
            entry=snakemake.params.entry,
            archives=snakemake.params.archives,
            mirror=snakemake.config["mirror"],
            downloads=results_folder() / snakemake.params.downloads,
            require_all=snakemake.params.require_all,
        )
