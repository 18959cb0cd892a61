"""The growers: size, error, speed and memory of trees, beside scikit-learn.

trees     a tree per data set and preset
speed     seconds and memory of one tree, and how they grow with cases and features
tables    both for reading
figures   both drawn
"""
