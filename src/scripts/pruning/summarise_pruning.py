"""The printed numbers' counterparts, and the study's own tables, from the records."""

from pinetum.workflow.jobs import job_log


def main(files, made, *, beyond):
    import pandas as pd

    from pinetum.pruning.pruners import PAPER, slug
    from pinetum.pruning.study import summary
    from pinetum.pruning.study.ranks import real_ranks
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import read_records, write_records

    names = [*PAPER, *beyond]
    records, ranks, folds = (
        read_records(files.records),
        read_records(files.ranks),
        read_records(files.folds),
    )
    tests = read_records(files.tests)
    real, real_tests = real_ranks(folds, names)
    write_records(real, made.real)
    write_records(real_tests, made.real_tests)
    published = read_published(files.published)
    write_records(summary.reproduced(ranks, real_tests, records, folds, published), made.reproduced)

    write_records(summary.methods_table(ranks, real, names), made.methods)
    write_records(summary.real_table(real, names, "error"), made.errors)
    write_records(summary.real_table(real, names, "nodes"), made.nodes)
    total = tests[(tests["removed"].astype(str) == "Total")].assign(study="generated")
    mean = (
        real_tests[real_tests["repeat"].astype(str) == "mean"].assign(study="real")
        if len(real_tests)
        else None
    )
    tested = pd.concat([total, mean], ignore_index=True)
    tested = tested.rename(columns={"group": "fifth algorithm"}).drop(
        columns=["removed", "repeat"], errors="ignore"
    )
    write_records(
        tested[["study", *[column for column in tested if column != "study"]]], made.tests
    )
    generated, tables = map(read_records, files.speeds)
    once = (tables["seconds"] / tables["repeats"]).sum()
    write_records(
        [
            {
                "study": "generated data sets",
                "what": "data sets per core-second, the paper's pruners with the tuning",
                "seconds": generated["paper_seconds"].iloc[0],
                "rate": generated["rate_per_core"].iloc[0],
            },
            {
                "study": "Tables 2 and 3",
                "what": "seconds for one cross-validation of all data sets under every pruner",
                "seconds": once,
            },
        ],
        made.speed,
    )
    write_records(
        summary.size_and_accuracy(folds, records, names, lambda kind, name: f"{kind}_{slug(name)}"),
        made.sizes,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, beyond=snakemake.params.beyond)
