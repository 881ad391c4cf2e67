"""The models, one file each, with invariants and mutants. A file that `registry` does not list fails the check."""
