"""Join the shards, rank the pruners five at a time, test."""

from pinetum.workflow.jobs import job_log


def main(shards, speeds, records, speed, ranks, tests, *, beyond):
    import pandas as pd

    from pinetum.pruning.pruners import PAPER, slug
    from pinetum.pruning.study.ranks import network_ranks
    from pinetum.workflow.jobs import provenance, read_records, write_records

    frame = pd.concat([read_records(shard) for shard in shards], ignore_index=True)
    frame = frame.sort_values(
        ["repetition", "inputs", "portion", "removed"], kind="stable", ignore_index=True
    )
    write_records(frame, records)

    total = pd.concat([read_records(part) for part in speeds]).sum()
    measured = {
        "study": "generated data sets",
        "what": (
            "NOP, NEBP, WEBP, TWEBP with its tuning, SYNTH, SYNTH+; drawing, growing and testing"
            " included"
        ),
        "data_sets": int(total["data_sets"]),
        "paper_seconds": total["paper_seconds"],
        "rate_per_core": total["data_sets"] / total["paper_seconds"],
        "beyond_seconds": total["beyond_seconds"],
    }
    write_records([measured | provenance()], speed)

    found, tested = network_ranks(frame, [*PAPER, *beyond], lambda name: f"hits_{slug(name)}")
    write_records(found, ranks)
    write_records(tested, tests)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.records,
            snakemake.input.speed,
            snakemake.output.records,
            snakemake.output.speed,
            snakemake.output.ranks,
            snakemake.output.tests,
            beyond=snakemake.params.beyond,
        )
