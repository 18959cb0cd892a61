"""One study's published tables in the paper's shape, Markdown and LaTeX of its other tables,
captions of all.
"""

from pinetum.workflow.jobs import job_log


def main(inputs, outputs, *, study, contents, names):
    from pathlib import Path

    from pinetum.report.captions import write_captions
    from pinetum.report.comparison import read_published
    from pinetum.report.origins import read_origins, read_parts
    from pinetum.report.page import read
    from pinetum.report.stages import write_verdicts
    from pinetum.report.tables import write_formats

    origins, parts = read_origins(inputs.sources, names), read_parts(inputs.sources, names)
    computed, published = contents["computed"], [read_published(path) for path in inputs.published]
    items = write_verdicts(study, published, outputs, origins, parts, computed["published"])
    for table in inputs.extra:
        write_formats(read(table), table, origins, computed=computed["tables"][Path(table).stem])
    write_captions(outputs.captions, contents, items)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            snakemake.output,
            study=snakemake.params.study,
            contents=snakemake.params.contents,
            names=snakemake.params.names,
        )
