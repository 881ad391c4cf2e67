"""Formal models of Remit's state machines, checked against the code that runs."""
