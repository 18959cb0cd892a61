"""The tables again with one reading of the paper changed at a time."""

from pinetum.workflow.jobs import job_log


def main(files, cells, overview, *, seed, datasets, repetitions, reading, alternatives):
    import pandas as pd

    from pinetum.data import NoData, load_dataset
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.study import readings as readings_study
    from pinetum.pruning.table import table_of
    from pinetum.workflow.jobs import read_records, write_records

    printed = pd.read_csv(files.published, dtype=str, keep_default_na=False)
    numbers = {
        (row["item"], row["row"], row["column"]): float(row["published"])
        for row in printed[printed["basis"].isin(["error", "quantile"])].to_dict("records")
    }
    tables = []
    for name in datasets:
        try:
            tables.append(table_of(load_dataset(name)))
        except NoData as reason:
            print(reason)
    base = Reading(**reading)
    ranks, real = read_records(files.ranks), read_records(files.real)
    found = {
        (str(row["removed"]), row["pruner"]): row["rank"]
        for row in ranks[ranks["group"] == "SYNTH+"].to_dict("records")
    }
    means = {
        (row["dataset"], row["pruner"]): (row["error"], row["nodes"])
        for row in real[real["group"] == "SYNTH+"].to_dict("records")
    }
    rows = readings_study.compare_networks(seed, repetitions, base, alternatives, numbers, found)
    rows += readings_study.compare_tables(tables, seed, base, alternatives, numbers, means)
    frame = pd.DataFrame(rows, columns=readings_study.CONTEXT)
    write_records(frame, cells)
    write_records(readings_study.overview(frame), overview)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            snakemake.output.cells,
            snakemake.output.overview,
            seed=snakemake.params.seed,
            datasets=snakemake.params.datasets,
            repetitions=snakemake.params.repetitions,
            reading=snakemake.params.reading,
            alternatives=snakemake.params.alternatives,
        )
