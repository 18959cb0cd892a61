"""What measures Pinetum, alone and beside others; the benchmarks' Snakefile puts it on the path.

growing     size, error and speed of the growers, beside scikit-learn
minima      how far exact minima go on random tables, and STreeD beside them
selection   scikit-learn's selector beside ours; whether searching more subsets gives worse trees
solvers     the linear programs of `separators` through several solvers
peers       other libraries asked the same questions, each in an environment of its own
"""
