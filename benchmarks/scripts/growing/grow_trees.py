"""A tree per data set and method, with its cross-validated error."""

from pinetum.workflow.jobs import job_log


def main(records, drawn_trees, *, datasets, methods, folds, drawn, seed):
    import json

    from pinetum.files import whole_file
    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.growing.trees import COLUMNS, tree_records

    rows, trees = tree_records(datasets, methods, folds, seed, drawn)
    write_records(rows, records, columns=(*COLUMNS, "version", "commit"))
    with whole_file(drawn_trees) as file:
        texts = {
            name: {method: tree.to_json() for method, tree in made.items()}
            for name, made in trees.items()
        }
        json.dump(texts, file)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            snakemake.output.drawn,
            datasets=snakemake.params.datasets,
            methods=snakemake.params.methods,
            folds=snakemake.params.folds,
            drawn=snakemake.params.drawn,
            seed=snakemake.params.seed,
        )
