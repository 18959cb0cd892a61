"""Compile the kernels of the enumeration once, so that the jobs after it find them."""

from arboretum.jobs import job_log


def main():
    import numpy as np

    from arboretum.data.dataset import Dataset
    from arboretum.distinct.study import warm

    codes = np.array([[0, 1, 2, 3, 2, 1], [0, 1, 1, 0, -1, 0]], dtype=np.int32)
    labels = np.array([0, 1, 0, 1, 1, 0], dtype=np.int32)
    values = (np.arange(4.0), ("no", "yes"))
    warm(Dataset("tiny", codes, labels, np.array([True, False]), values, ("number", "letter"), ("no", "yes")))


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main()
