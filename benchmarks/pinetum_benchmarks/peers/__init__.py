"""Other libraries beside Pinetum: the same question, data, folds and clocks, each in an environment
of its own.
"""
