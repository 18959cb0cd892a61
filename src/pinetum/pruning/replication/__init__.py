"""The reproduction of Hansen and Olsson (2007).

measure          every pruner on generated data sets and on real ones
readings         what the paper leaves open, each choice changed alone; the charge of SYNTH+
program_search   the search for pruning functions by islands, and the choice of its result
found_functions  what the found functions are worth on fresh data and on real data sets
ranks            ranks and tests, five algorithms at a time
results          published numbers, summaries, tables and readings from the records
figures          the pictures from the records
"""
