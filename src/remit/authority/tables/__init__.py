"""Is a value in a list? Exactly, and so that neither of the two servers that hold the list learns the value.

- cuckoo: a list as buckets of fingerprints: a value lies in one of two places, or nowhere
- tags: what shows that a row was built by the operator, for this place of this table
- answer: a server's share of the rows that a batch of keys selects
"""
