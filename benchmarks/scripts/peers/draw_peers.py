"""A picture per question and one of all of them."""

from pinetum.workflow.jobs import job_log


def main(records, summary, questions, overview, vector):
    from pinetum.report.style import write_vector_forms
    from pinetum.workflow.jobs import read_records
    from pinetum_benchmarks.peers import figures
    from pinetum_benchmarks.peers.summary import read_all

    write_vector_forms(vector)
    frame = read_all(records)
    for png in questions:
        figures.question(frame, png)
    figures.overview(read_records(summary), overview)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.records,
            snakemake.input.summary,
            snakemake.output.questions,
            snakemake.output.overview,
            snakemake.output.vector,
        )
