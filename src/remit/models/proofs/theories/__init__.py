"""One file for each theory: its operators, its theorems, its mutants and its ties to the code that runs."""
