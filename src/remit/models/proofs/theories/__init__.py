"""One file for each theory: its operators, its theorems, its reds and its ties to the code that runs."""
