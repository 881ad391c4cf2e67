"""What is in a registry? Many skills, from folders, archives, repositories and indexes, become rows of one table.

The table is Parquet (`rows`). A row is one skill; what could not be found out is a row too, with the verdict `unknown` and
the reason.
"""
