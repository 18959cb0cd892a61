"""The grower beside scikit-learn in one run, and its growth with the number of cases."""

from pinetum.workflow.jobs import job_log


def main(speed, scaling, *, datasets, repeats, rows, features, widths, seed):
    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.growing.speed import SPEED_COLUMNS, scaling_records, speed_records

    write_records(speed_records(seed, datasets, repeats), speed, columns=SPEED_COLUMNS)
    write_records(scaling_records(rows, features, widths, 3, seed), scaling)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.speed,
            snakemake.output.scaling,
            datasets=snakemake.params.datasets,
            repeats=snakemake.params.repeats,
            rows=snakemake.params.rows,
            features=snakemake.params.features,
            widths=snakemake.params.widths,
            seed=snakemake.params.seed,
        )
