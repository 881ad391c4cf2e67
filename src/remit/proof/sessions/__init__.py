"""Method C: no session breaks the biconditional, for every length."""
