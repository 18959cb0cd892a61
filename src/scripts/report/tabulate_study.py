"""One study's published tables in the paper's shape, Markdown and LaTeX of its other tables,
captions of all.
"""

from pinetum.workflow.jobs import job_log


def main(published, reproduced, extra, sources, captions, *, study, contents, names):
    from pathlib import Path

    from pinetum.files import results_folder
    from pinetum.report.captions import write_captions
    from pinetum.report.comparison import compare, read_published, read_reproduced
    from pinetum.report.names import slug
    from pinetum.report.origins import read_origins, read_parts
    from pinetum.report.page import read
    from pinetum.report.tables import write_formats, write_published_table

    items, origins, parts = {}, read_origins(sources, names), read_parts(sources, names)
    computed = contents["computed"]
    for theirs, ours in zip(published, reproduced, strict=True):
        rows = compare(study, read_published(theirs), read_reproduced(ours), parts=parts)
        for item, cells in rows.groupby("item", sort=False):
            path = results_folder() / f"tables/{study}/{slug(item)}.csv"
            write_published_table(cells, path, origins, computed["published"][item])
            items[slug(item)] = item
    for table in extra:
        write_formats(read(table), table, origins, computed=computed["tables"][Path(table).stem])
    write_captions(captions, contents, items)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.published,
            snakemake.input.reproduced,
            snakemake.input.extra,
            snakemake.input.sources,
            snakemake.output.captions,
            study=snakemake.params.study,
            contents=snakemake.params.contents,
            names=snakemake.params.names,
        )
