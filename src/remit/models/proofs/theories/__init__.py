"""The theories, one file each: operators, theorems, mutants, and ties to the code that runs."""
