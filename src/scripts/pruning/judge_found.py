"""What the found functions are worth: ranks on fresh data, and the real data sets with them as
columns.
"""

from pinetum.workflow.jobs import job_log


def main(files, made, *, root, test, datasets, repeats, reading):
    import pandas as pd

    from pinetum.pruning.evolution.found import read_found
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.study.evolution import judge, real_comparison, real_versions, statements
    from pinetum.pruning.study.versions import side_by_side
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import write_records

    functions, reading = [read_found(path) for path in files.found], Reading(**reading)
    records = real_versions(root, functions, datasets, repeats, reading)
    table = real_comparison(records)
    write_records(table, made.real)
    write_records(statements(judge(root, functions, test, reading), table), made.ranks)
    published = read_published(files.published)
    write_records(side_by_side(published, root, functions, test, reading, records), made.versions)
    write_records(pd.concat([pd.read_csv(path) for path in files.history]), made.history)
    write_records(pd.concat([pd.read_csv(path) for path in files.ancestry]), made.ancestry)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            snakemake.output,
            root=snakemake.params.root,
            test=snakemake.params.test,
            datasets=snakemake.params.datasets,
            repeats=snakemake.params.repeats,
            reading=snakemake.params.reading,
        )
