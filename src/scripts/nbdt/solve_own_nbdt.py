"""The best tree under Naive Bayes for one of the user's own tables."""

from pinetum.files import whole_file
from pinetum.workflow.jobs import job_log, write_records


def main(data, outputs, *, name, settings, seed):
    from pinetum.nbdt.study import figures, own
    from pinetum.report import style

    records, leaves, tree = own.run(name, settings, seed, data)
    write_records(records, outputs.records, own.COLUMNS)
    write_records(leaves, outputs.leaves, own.LEAF_COLUMNS)
    with whole_file(outputs.text) as file:
        file.write(tree.to_text() if tree else records[0]["note"])
        file.write("\n")
    with style.guarded(outputs.figure):
        figures.own_tree(tree, records[0]["note"] if tree is None else "", outputs.figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.output,
            name=snakemake.wildcards.table,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
