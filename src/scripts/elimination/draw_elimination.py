"""Figure 5, the speed-up over the number of features, the paths of the eliminations."""

from pinetum.workflow.jobs import job_log


def main(records, files, m):
    from pinetum.elimination.study import figures
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records

    style.write_vector_forms(files.vector)
    figures.draw_curves(read_records(records.curves), files.curves)
    figures.draw_speed_up(read_records(records.ways), read_records(records.large), files.speed)
    paths = read_records(records.paths)
    figures.draw_paths(paths[(paths["m"] == m) & (paths["repeat"] == 0)], files.paths)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, snakemake.params.m)
