"""A user's own table: repeated cross-validated error and size under every pruner."""

from arboretum.jobs import job_log


def main(table, records, figure, *, seed, repeats, reading, beyond, m):
    from pathlib import Path

    from arboretum.jobs import write_records
    from arboretum.pruning.methods import PAPER
    from arboretum.pruning.readings import Reading
    from arboretum.pruning.study import own_records
    from arboretum.report import style

    rows = own_records(table, seed, repeats, Reading(**reading), [*PAPER, *beyond], m)
    write_records(rows, records)
    fig, ax = style.figure(1, 2.6)
    good = rows[rows["status"] == "ok"]
    for row in good.to_dict("records"):
        ax.errorbar(
            row["nodes"],
            row["error"],
            yerr=row["error_spread"],
            color=style.colour(row["pruner"]),
            marker=style.marker(row["pruner"]),
            capsize=2,
            label=row["pruner"],
            linestyle="none",
        )
    if len(good):
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        ax.text(0.5, 0.5, rows["status"].iloc[0], ha="center", transform=ax.transAxes)
    ax.set_title(Path(table).stem)
    ax.set_xlabel("nodes")
    ax.set_ylabel("error, %")
    style.save(fig, figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.figure,
            seed=snakemake.params.seed,
            repeats=snakemake.params.repeats,
            reading=snakemake.params.reading,
            beyond=snakemake.params.beyond,
            m=snakemake.params.m,
        )
