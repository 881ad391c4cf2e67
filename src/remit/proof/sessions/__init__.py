"""Method C: a proof that no session of any length breaks the biconditional."""
