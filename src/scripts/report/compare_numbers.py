"""Every published number beside ours, with its verdict."""

from pinetum.workflow.jobs import job_log


def main(published, reproduced, availability, comparison, counts, *, names):
    from pathlib import Path

    import pandas as pd

    from pinetum.report.comparison import (
        COMPARISON_COLUMNS,
        REPRODUCED_COLUMNS,
        compare,
        read_published,
        read_text,
        verdict_counts,
    )
    from pinetum.report.origins import read_origins
    from pinetum.workflow.jobs import write_records

    origins = read_origins([availability], names)

    parts = [
        compare(Path(theirs).stem, read_published(theirs), read_text(ours, REPRODUCED_COLUMNS), origins)
        for theirs, ours in zip(published, reproduced, strict=True)
    ]
    rows = pd.concat(parts) if parts else pd.DataFrame(columns=COMPARISON_COLUMNS)
    write_records(rows, comparison)
    write_records(verdict_counts(rows), counts)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.published,
            snakemake.input.reproduced,
            snakemake.input.availability,
            snakemake.output.comparison,
            snakemake.output.counts,
            names=snakemake.params.names,
        )
