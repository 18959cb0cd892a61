"""What the found functions are worth: ranks on fresh data, and the real data sets with them as columns."""

from pinetum.workflow.jobs import job_log


def main(found, histories, ancestries, ranks, real, history, ancestry, *, root, test, datasets, repeats):
    import pandas as pd

    from pinetum.pruning.evolution.found import read_found
    from pinetum.pruning.study.evolution import judge, real_comparison, statements
    from pinetum.workflow.jobs import write_records

    functions = [read_found(path) for path in found]
    table = real_comparison(root, functions, datasets, repeats)
    write_records(table, real)
    write_records(statements(judge(root, functions, test), table), ranks)
    write_records(pd.concat([pd.read_csv(path) for path in histories]), history)
    write_records(pd.concat([pd.read_csv(path) for path in ancestries]), ancestry)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.found,
            snakemake.input.history,
            snakemake.input.ancestry,
            snakemake.output.ranks,
            snakemake.output.real,
            snakemake.output.history,
            snakemake.output.ancestry,
            root=snakemake.params.root,
            test=snakemake.params.test,
            datasets=snakemake.params.datasets,
            repeats=snakemake.params.repeats,
        )
