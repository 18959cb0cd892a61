"""One of the user's own tables: every method on the same folds, models of all cases, the column report."""

from pinetum.workflow.jobs import job_log


def main(options, outputs, *, name, seed):
    from pathlib import Path

    from pinetum.data.table import read_table
    from pinetum.files import whole_file
    from pinetum.own.compare import COLUMNS, compare
    from pinetum.workflow.jobs import write_records

    table = read_table(name, options)
    print(table, *table.warnings, sep="\n", flush=True)
    write_records(table.describe(), outputs.columns)
    with whole_file(outputs.warnings) as file:
        file.writelines(f"{line}\n" for line in table.warnings)
    Path(outputs.models).mkdir(parents=True, exist_ok=True)
    records, predicted = compare(table, outputs.models, seed=seed)
    write_records(records, outputs.summary, columns=COLUMNS)
    rows = [
        {"case": case + 1, "class": table.class_names[label]}
        | {method: table.class_names[codes[case]] for method, codes in predicted.items()}
        for case, label in enumerate(table.labels)
    ]
    write_records(rows, outputs.predictions)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.params.options,
            snakemake.output,
            name=snakemake.wildcards.table,
            seed=snakemake.params.seed,
        )
