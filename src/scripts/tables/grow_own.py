"""A user's own table: every method's tree, its error, and the pruned tree as text and drawing."""

from pinetum.workflow.jobs import job_log


def main(table, records, text, drawing, *, settings, seed):
    from pinetum.files import whole_file
    from pinetum.own.trees import COLUMNS, own_records
    from pinetum.report import style
    from pinetum.workflow.jobs import write_records

    rows, trees = own_records(table, settings, seed)
    write_records(rows, records, columns=COLUMNS)
    tree = trees.get("c45 pruned")
    with whole_file(text) as file:
        file.write(tree.to_text() if tree else f"{rows[0]['status']}: {rows[0]['note']}\n")
    if tree and tree.n_nodes <= 150:
        with style.guarded(drawing):
            style.save(tree.plot().figure, drawing)
        return
    fig, ax = style.figure(1, 0.8)
    ax.set_axis_off()
    ax.text(
        0.5, 0.5, f"{tree.n_nodes} nodes: see the text" if tree else rows[0]["status"], ha="center"
    )
    style.save(fig, drawing)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.text,
            snakemake.output.drawing,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
