"""A user's own decision table: every heuristic against the exact minima, and an optimal tree per
cost.
"""

from pinetum.workflow.jobs import job_log


def main(data, records, trees, *, name, settings, seed):
    import json

    from pinetum.files import whole_file
    from pinetum.greedy_dp.study import records as study
    from pinetum.greedy_dp.study.own import examine_own
    from pinetum.workflow.jobs import write_records

    found = examine_own(name, data, settings, seed)
    own = [column for column in study.TABLE_COLUMNS if column in found.table and " " not in column]
    shared = {column: found.table[column] for column in own}
    write_records(
        [{**line, **shared} for line in found.gaps] or [shared],
        records,
        list(dict.fromkeys([*study.GAP_COLUMNS, *own])),
    )
    with whole_file(trees) as file:
        for name_, cost, tree in found.trees:
            file.write(
                json.dumps({"dataset": name_, "cost": cost, "tree": json.loads(tree.to_json())})
                + "\n"
            )


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.trees,
            name=snakemake.wildcards.table,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
