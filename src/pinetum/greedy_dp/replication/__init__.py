"""The reproduction of Alkhalid, Chikalov and Moshkov (2011).

random_tables  the paper's experiment: minima and greedy costs of many random tables
measure        decision tables of the catalogue, by the same exact minima
results        published numbers, summary and tables from the records
figures        the pictures from the records
"""
