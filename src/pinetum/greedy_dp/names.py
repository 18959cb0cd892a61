"""What the configuration's schema, results and measurements share. It imports nothing, since the
rules are read where only Snakemake is installed.
"""

# What equal rows with different decisions mean: one entry, and what a row of the merged table is
# then answered by.
MEANINGS = {
    "most_common": "the most common decision of the equal rows, the first of several",
    "any": "any of their decisions (many-valued decisions)",
    "all": "all of their decisions together, as a decision of its own (generalised decision)",
    "refuse": "no table: raise",
}

# The paper's experiment.
GROUPS = 4  # of random tables, each with a table of its own in the paper
PAPER_SHAPE = {"rows": 50, "attributes": 10, "values": 3, "decisions": 3}
