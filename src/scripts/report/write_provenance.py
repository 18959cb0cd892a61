"""Versions, commit, machine, seed, configuration, and where every data set came from with its
checksum.
"""

from pinetum.workflow.jobs import job_log


def main(sources, provenance, *, config, kernels):
    from pinetum.report.provenance import write_provenance

    write_provenance(provenance, sources=sources, config=config, kernels=kernels)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.sources,
            snakemake.output.provenance,
            config=snakemake.params.config,
            kernels=snakemake.params.kernels,
        )
