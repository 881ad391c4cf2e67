"""Scans of registries: many skills, from folders, archives, repositories and indexes, become rows of one table.

The table is Parquet (`rows`). A row is one skill; a failure is a row too, with the verdict `unknown` and the reason.
"""
