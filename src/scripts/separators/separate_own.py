"""A user's own table: cross-validated error and features of every method, and the planes in the
original units.
"""

from pinetum.workflow.jobs import job_log


def main(name, table, records, figure, options, solving, seed):
    import pandas as pd

    from pinetum.report import style
    from pinetum.separators.study.own import own_records
    from pinetum.separators.study.records import settings_of
    from pinetum.workflow.jobs import write_records

    rows = own_records(name, table, options, seed=seed, settings=settings_of(solving))
    write_records(rows, records)
    with style.guarded(figure):
        draw(pd.DataFrame(rows), name, figure)


def draw(rows, name, figure):
    """Error against weights, one mark per method and depth."""
    from pinetum.report import style

    fig, axis = style.figure(1, 2.6)
    good = rows[rows["status"] == "ok"]
    for row in good.to_dict("records"):
        depth = f", depth {row['depth_limit']}" if row["depth_limit"] else ", grown out"
        axis.errorbar(
            row["weights"],
            row["test_error"],
            yerr=row["test_error_se"],
            color=style.colour(row["method"]),
            marker=style.marker(row["method"]),
            mfc=style.colour(row["method"]) if row["depth_limit"] else "none",
            capsize=2,
            ls="",
            label=row["method"] + depth,
        )
    if len(good):
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        if good["weights"].min() > 0:
            axis.set_xscale("log")  # a single decision has few, a tree grown out hundreds
    else:
        axis.text(0.5, 0.5, rows["status"].iloc[0], ha="center", transform=axis.transAxes)
    axis.set_title(name)
    axis.set_xlabel("weights, summed over the decisions")
    axis.set_ylabel("test error, %")
    style.save(fig, figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.wildcards.table,
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.figure,
            snakemake.params.options,
            snakemake.params.solving,
            snakemake.params.seed,
        )
