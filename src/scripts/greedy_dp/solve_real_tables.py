"""Exact minima, or proven intervals, and every heuristic's gap on decision tables of the
catalogue.
"""

from pinetum.workflow.jobs import job_log


def main(outputs, *, datasets, limits, inconsistent, missing, analyse):
    import json

    from pinetum.data import NoData, load_dataset
    from pinetum.files import whole_file
    from pinetum.greedy_dp.optimum import Limits
    from pinetum.greedy_dp.study import records as study
    from pinetum.progress import Progress
    from pinetum.workflow.jobs import write_records

    found = []
    progress = Progress(len(datasets), "decision tables", every=0)
    for name in datasets:
        try:
            found.append(
                study.examine(
                    name,
                    load_dataset(name),
                    Limits(**limits),
                    inconsistent=inconsistent,
                    missing_cells=missing,
                    analyse=analyse,
                )
            )
        except NoData as reason:
            found.append(study.missing(name, "no_data", str(reason)))
        progress.step()
    write_records([part.table for part in found], outputs.tables, study.TABLE_COLUMNS)
    write_records([line for part in found for line in part.gaps], outputs.gaps, study.GAP_COLUMNS)
    write_records(
        [line for part in found for line in part.sequential],
        outputs.sequential,
        study.SEQUENTIAL_COLUMNS,
    )
    write_records(
        [line for part in found for line in part.pareto], outputs.pareto, study.PARETO_COLUMNS
    )
    with whole_file(outputs.trees) as file:
        for name, cost, tree in (entry for part in found for entry in part.trees):
            file.write(
                json.dumps({"dataset": name, "cost": cost, "tree": json.loads(tree.to_json())})
                + "\n"
            )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output,
            datasets=snakemake.params.datasets,
            limits=snakemake.params.limits,
            inconsistent=snakemake.params.inconsistent,
            missing=snakemake.params.missing,
            analyse=snakemake.params.analyse,
        )
