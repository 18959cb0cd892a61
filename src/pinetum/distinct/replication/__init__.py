"""The reproduction of Ruggieri (2017), sections 4 and 6: what is enumerated and searched.

measure   enumerations, orders of removal, complete searches, near-optimal trees
sharding  one enumeration in shards: its plan, each shard, and what they count together
results   published numbers and tables from the records
figures   the pictures from the records
"""
