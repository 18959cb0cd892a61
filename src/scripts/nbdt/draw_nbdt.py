"""Figures 2, 4, 5 and 6 of the paper, and when Naive Bayes helps, from the records."""

from pinetum.workflow.jobs import job_log, read_records


def main(inputs, outputs):
    from pinetum.nbdt.study import figures, learning
    from pinetum.report import style

    style.write_vector_forms(outputs.vector)
    figures.opt_feature_list(read_records(inputs.example), outputs.figure_2)
    accuracy = read_records(inputs.accuracy)
    figures.errors(accuracy, outputs.figure_4)
    said = learning.answer(read_records(inputs.learning))
    figures.when_naive_bayes_helps(
        read_records(inputs.learning_means), accuracy, said, outputs.when_naive_bayes_helps
    )
    speed = read_records(inputs.speed)
    figures.scaling(speed, outputs.figure_5)
    figures.run_times(speed, outputs.figure_6)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output)
