"""The program a search ends with, chosen on data sets that the search never saw."""

from arboretum.jobs import job_log


def main(states, table, found, module, history, ancestry, *, name, root, run, options):
    from arboretum.data.dataset import Dataset
    from arboretum.jobs import whole_file, write_records
    from arboretum.pruning.evolution.search import load
    from arboretum.pruning.evolution.study import choose

    dataset = Dataset.load(table[0]) if table else None
    chosen, looks, line = choose(
        root, name, [load(state) for state in states], {**options, "parts": run["parts"]}, dataset
    )
    chosen.save(found)
    with whole_file(module) as file:
        file.write(chosen.as_python())
    write_records(looks, history)
    write_records(line, ancestry)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.states,
            snakemake.input.table,
            snakemake.output.found,
            snakemake.output.python,
            snakemake.output.history,
            snakemake.output.ancestry,
            name=snakemake.wildcards.run,
            root=snakemake.params.root,
            run=snakemake.params.run,
            options=snakemake.params.options,
        )
