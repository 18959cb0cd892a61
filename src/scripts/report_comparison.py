"""Every published number beside ours, with its verdict."""

from arboretum.jobs import job_log


def main(published, reproduced, comparison, counts):
    from pathlib import Path

    import pandas as pd

    from arboretum.jobs import write_records
    from arboretum.report.comparison import (
        COMPARISON_COLUMNS,
        REPRODUCED_COLUMNS,
        compare,
        read_published,
        read_text,
        verdict_counts,
    )

    parts = [
        compare(Path(theirs).stem, read_published(theirs), read_text(ours, REPRODUCED_COLUMNS))
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
            snakemake.output.comparison,
            snakemake.output.counts,
        )
