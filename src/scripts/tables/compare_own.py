"""One of the user's own tables: every method on the same folds, models of all cases, the column
report.
"""

from pinetum.workflow.jobs import job_log, tell


def main(options, outputs, *, name, settings, seed):
    from pathlib import Path

    from pinetum.data.table import read_table
    from pinetum.files import whole_file
    from pinetum.own.compare import COLUMNS, compare
    from pinetum.workflow.jobs import write_records
    from pinetum.workflow.warned import WARNING

    table = read_table(name, options)
    print(table, flush=True)
    tell(*(f"{WARNING}{name}: {line}" for line in table.warnings))
    write_records(table.describe(), outputs.columns)
    with whole_file(outputs.warnings) as file:
        file.writelines(f"{line}\n" for line in table.warnings)
    Path(outputs.models).mkdir(parents=True, exist_ok=True)
    records, dealt, predicted = compare(
        table,
        outputs.models,
        settings=settings,
        seed=seed,
        tell=lambda line: tell(f"{name}: {line}"),
    )
    write_records(records, outputs.compared, columns=COLUMNS)
    rows = [
        {"case": case + 1, "fold": int(dealt[case]) + 1, "class": table.class_names[label]}
        | {method: table.class_names[codes[case]] for method, codes in predicted.items()}
        for case, label in enumerate(table.labels)
    ]
    write_records(rows, outputs.predictions)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.params.options,
            snakemake.output,
            name=snakemake.wildcards.table,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
