"""The reproduction of Farhangfar, Greiner and Zinkevich (2008).

measure   cross-validation, learning curves, whole files, the example: a function per rule
speed     CPU seconds of the algorithms
readings  what the paper leaves open of 3-ID3, each choice changed alone
results   published numbers, summaries, tables and readings from the records
figures   the pictures from the records
"""
