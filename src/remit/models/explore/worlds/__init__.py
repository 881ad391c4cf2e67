"""The models, one file each, with its invariants and its mutants. A file that `registry` does not list fails the check."""
