"""Is a value in a list? Asked so that neither of the two servers that hold the list learns the value.

- batch: a list as a table, and batches of values that are looked up in it: a value alone, or all windows of a text
- windows: which windows of a text are looked up, and by which one a fragment is known
- tags: what shows that a row was built by the operator, for this place of this table
"""
