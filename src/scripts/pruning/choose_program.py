"""The program a search ends with, chosen on data sets that the search never saw."""

from pinetum.workflow.jobs import job_log


def main(states, table, found, module, history, ancestry, *, name, root, run, options):
    from pinetum.data.dataset import Dataset
    from pinetum.files import whole_file
    from pinetum.pruning.evolution.search import load
    from pinetum.pruning.study.evolution import choose
    from pinetum.workflow.jobs import write_records

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
