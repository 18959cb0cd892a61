"""
A tree as a query
=================

A fitted tree becomes plain SQL that any database runs; here SQLite, on the whole table, with the
same answers.
"""

import sqlite3

import matplotlib.pyplot as plt
import pandas as pd

import pinetum

X, y = pinetum.fetch_dataset("car")
model = pinetum.TreeClassifier(prune="WEBP", max_leaves=12).fit(X, y)
query = model.to_code("sql", table="cars")
with sqlite3.connect(":memory:") as database:
    X.astype(str).to_sql("cars", database, index=False)
    answers = pd.read_sql(query, database)
print(answers.tail(3))

# %%
# The same answers, whatever the order in which the database gives the rows:
ours = X.astype(str).assign(ours=model.predict(X))
both = answers.merge(ours, on=list(X.columns))
print(len(both), "cars,", (both["predicted"] != both["ours"]).sum(), "answers that differ")

# %%
model.plot(max_depth=3)
plt.show()
