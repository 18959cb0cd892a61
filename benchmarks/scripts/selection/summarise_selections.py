"""Methods of selection by rank and error, what they say about searching more, and the figure, from
the records.
"""

from pinetum.workflow.jobs import job_log


def main(records, files, datasets):
    import pandas as pd

    from pinetum.files import whole_file
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records, write_records
    from pinetum_benchmarks.selection import selections as study
    from pinetum_benchmarks.selection.figures import draw_oversearching

    frames = [frame for frame in map(read_records, records.selections) if len(frame)]
    selections = (
        pd.concat(frames, ignore_index=True) if frames else read_records(records.selections[0])
    )
    selections = study.in_order(selections, datasets)
    table = study.by_dataset(selections)
    write_records(selections, files.records)
    write_records(table, files.datasets)
    write_records(study.by_method(table), files.methods)
    write_records(study.verdict(table), files.verdict)
    with whole_file(files.page) as file:
        file.write(study.page(table))
    style.write_vector_forms(files.vector)
    draw_oversearching(table, files.figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, snakemake.params.datasets)
