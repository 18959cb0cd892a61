"""The study's figures, from its CSV files."""

from pinetum.workflow.jobs import job_log


def main(files, made):
    from pinetum.pruning.study import figures
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records

    style.write_vector_forms(made.vector)
    ranks, tests = read_records(files.ranks), read_records(files.tests)
    real, real_tests = read_records(files.real), read_records(files.real_tests)
    figures.rank_by_removed(ranks, made.ranks)
    figures.size_and_accuracy(read_records(files.sizes), made.sizes)

    panels = []
    for group, what in (("SYNTH+", "the paper's five"), ("all", "all pruners")):
        mine = ranks[(ranks["group"] == group) & (ranks["removed"].astype(str) == "Total")]
        test = tests[(tests["group"] == group) & (tests["removed"].astype(str) == "Total")]
        panels.append(
            (f"generated data, {what}", dict(zip(mine["pruner"], mine["rank"], strict=True)), test)
        )
        if len(real_tests):
            mine = real[(real["group"] == group) & (real["dataset"] == "average")]
            test = real_tests[
                (real_tests["group"] == group) & (real_tests["repeat"].astype(str) == "mean")
            ]
            panels.append(
                (f"real data, {what}", dict(zip(mine["pruner"], mine["rank"], strict=True)), test)
            )
    figures.critical_difference(
        [
            (title, means, float(test["critical_difference"].iloc[0]))
            for title, means, test in panels
            if len(test)
        ],
        made.critical,
    )
    figures.readings(read_records(files.readings), made.readings)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output)
