"""All and only the distinct decision trees over subsets of the columns.

subsets       Algorithm 1: all subsets, by reverse binary counting
enumeration   Algorithm 2: every distinct tree once
search        the subset whose trees err least, with a proof or a bound
near_optimal  all trees that err almost as little (drawing: their picture)
probing       how large an enumeration is, from random paths
shards        an enumeration in parts that run anywhere
objective     what a subset is judged by
assumptions   which rules of induction the enumeration is exact for
engine        one enumeration at work: its limits, and what it has found
arrays        the table, the store of records and the frames, as kernels take them
estimators    BestSubset and NearOptimalTrees, with scikit-learn's conventions
explore       what the study finds in a table of one's own
warm          compiles every kernel
kernels/      records, make (what one lacks: columns by evaluate, or children), walk (trees),
              search (Algorithm 2 over frames), order (of removal), ahead (bounds), probe (paths)
replication/  measure, sharding, results, figures of the paper
"""
