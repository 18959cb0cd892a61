"""Every published number beside ours, with its verdict."""

from pinetum.workflow.jobs import job_log


def main(published, reproduced, readings, availability, comparison, counts, *, names):
    from pathlib import Path

    import pandas as pd

    from pinetum.report.comparison import (
        COMPARISON_COLUMNS,
        compare,
        read_published,
        read_reproduced,
        verdict_counts,
    )
    from pinetum.report.origins import read_origins, read_parts
    from pinetum.report.readings import read_readings
    from pinetum.workflow.jobs import write_records

    origins, parts = read_origins([availability], names), read_parts([availability], names)
    moving = {Path(path).parent.name: read_readings(path) for path in readings}
    frames = []
    for theirs, ours in zip(published, reproduced, strict=True):
        study = Path(theirs).stem
        options = {"readings": moving.get(study), "origins": origins, "parts": parts}
        frames.append(compare(study, read_published(theirs), read_reproduced(ours), **options))
    rows = pd.concat(frames) if frames else pd.DataFrame(columns=COMPARISON_COLUMNS)
    write_records(rows, comparison)
    write_records(verdict_counts(rows), counts)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.published,
            snakemake.input.reproduced,
            snakemake.input.readings,
            snakemake.input.availability,
            snakemake.output.comparison,
            snakemake.output.counts,
            names=snakemake.params.names,
        )
