"""The reproduction of Bredensteiner and Bennett (1996).

measure   single decisions, exact minima, feature paths, trees: a function per rule
readings  what the paper leaves open, each choice changed alone
rivals    two common ways to few features, of scikit-learn
results   published numbers, tables and readings from the records
figures   the pictures from the records
"""
