"""Private list membership: neither of the two servers that hold a list learns which value is looked up.

- batch: a list as a table, and batches of values that are looked up in it: a single value, or all windows of a text
- windows: which windows of a text are looked up, and by which window a fragment is identified
- tags: proof that the operator built a row, for this position of this table
"""
