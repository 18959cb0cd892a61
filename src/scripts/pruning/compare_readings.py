"""The tables with one reading of the paper changed at a time, and the charge of SYNTH+ by the table
it fits.
"""

from pinetum.workflow.jobs import job_log


def main(files, made, *, seed, datasets, repetitions, repeats, reading, charges, alternatives):
    from pinetum.data import NoData, load_dataset
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.study import readings as study
    from pinetum.pruning.table import table_of
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import read_records, write_records

    published = read_published(files.published)
    tables = []
    for name in datasets:
        try:
            tables.append(table_of(load_dataset(name)))
        except NoData as reason:
            print(reason)
    ranks, real = read_records(files.ranks), read_records(files.real)
    places = {
        (str(row["removed"]), row["pruner"]): (row["rank"], row["se"])
        for row in ranks[ranks["group"] == "SYNTH+"].to_dict("records")
    }
    means = {
        (row["dataset"], row["pruner"]): tuple(
            row[key] for key in ("error", "error_spread", "nodes", "nodes_spread", "repeats")
        )
        for row in real[real["group"] == "SYNTH+"].to_dict("records")
    }
    base = {kind: Reading.of(reading, charge=charge) for kind, charge in charges.items()}
    cells = study.compare_readings(
        published,
        alternatives,
        dict(root=seed, repetitions=repetitions, base=base["generated"], main=places),
        dict(root=seed, repeats=repeats, base=base["real"], main=means, tables=tables),
    )
    write_records(cells, made.cells)
    write_records(study.overview(cells), made.overview)
    misfits = study.charge_misfits(
        published, root=seed, repetitions=repetitions, tables=tables, repeats=repeats, **base
    )
    write_records(misfits, made.charges)
    for item, charge in study.fitted_charges(misfits).items():
        print(f"charge fitted to {item} alone: {charge:.2f}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            snakemake.output,
            seed=snakemake.params.seed,
            datasets=snakemake.params.datasets,
            repetitions=snakemake.params.repetitions,
            repeats=snakemake.params.repeats,
            reading=snakemake.params.reading,
            charges=snakemake.params.charges,
            alternatives=snakemake.params.alternatives,
        )
