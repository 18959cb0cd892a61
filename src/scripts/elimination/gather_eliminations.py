"""The shards' records as one file each, in the order of the rows, whatever the number of shards."""

from pinetum.workflow.jobs import job_log


def main(shards, files, datasets):
    import pandas as pd

    from pinetum.elimination.study.rows import rows_of
    from pinetum.workflow.jobs import read_records, write_records

    rows = list(rows_of(datasets))
    for name, parts in shards.items():
        frames = [frame for frame in map(read_records, parts) if len(frame)]
        frame = pd.concat(frames, ignore_index=True) if frames else read_records(parts[0])
        place = frame["row"].map({row: number for number, row in enumerate(rows)})
        keys = ["place", "m", "repeat", "fold", *(["step"] if "step" in frame else [])]
        frame = frame.assign(place=place).sort_values(keys, kind="stable").drop(columns="place")
        write_records(frame, files[name])


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            {name: snakemake.input[name] for name in ("folds", "paths", "optimal")},
            {name: snakemake.output[name] for name in ("folds", "paths", "optimal")},
            snakemake.params.datasets,
        )
