"""One epoch of one island of the program search; goes on from its checkpoint."""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(previous, table, state, *, island, epoch, root, run, options, checkpoint):
    from pinetum.data.dataset import Dataset
    from pinetum.pruning.evolution.search import save
    from pinetum.pruning.study.evolution import evolve

    previous = list(previous)
    done = evolve(
        root,
        run["seed"],
        island,
        epoch,
        {**options, **run},
        previous=previous[0] if previous else None,
        neighbour=previous[1] if len(previous) > 1 else None,
        checkpoint=checkpoint,
        dataset=Dataset.load(table[0]) if table else None,
    )
    save(done, state)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.previous,
            snakemake.input.table,
            snakemake.output.state,
            island=int(snakemake.wildcards.island),
            epoch=int(snakemake.wildcards.epoch),
            root=snakemake.params.root,
            run=snakemake.params.run,
            options=snakemake.params.options,
            checkpoint=results_folder() / snakemake.params.checkpoint,
        )
