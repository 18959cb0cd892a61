"""Error against number of features, with rivals, and the planes with two and three features."""

from pinetum.workflow.jobs import job_log


def main(path, planes, points, options, seed):
    from pinetum.separators.study.paths import feature_path, few_features
    from pinetum.separators.study.records import settings_of
    from pinetum.workflow.jobs import write_records

    settings = settings_of(options)
    write_records(
        feature_path(
            options["datasets"],
            repeats=options["path"]["repeats"],
            folds=options["folds"],
            use=options["folds_run"],
            seed=seed,
            settings=settings,
            counts=options["path"]["features"],
            compare=options["path"]["rivals"],
        ),
        path,
    )
    found, cases = few_features(options["datasets"], settings)
    write_records(found, planes)
    write_records(cases, points, columns=["dataset", "allowed", "place", "case", "value", "class"])


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.path,
            snakemake.output.planes,
            snakemake.output.points,
            snakemake.params.options,
            snakemake.params.seed,
        )
