"""The reproduction of Ruggieri (2017), sections 5 and 6.

protocol  the paper's trees and parts of the cases, and which data set serves which row
folds     one data set with its folds, and eliminations on them; how shards share the folds
measure   eliminations fold by fold, and on tables of thousands of features: a function per rule
optima    the best subset of features beside them, on the same folds
readings  what the paper leaves open, each choice changed alone
results   published numbers, tables and readings from the records
figures   the pictures from the records
"""
