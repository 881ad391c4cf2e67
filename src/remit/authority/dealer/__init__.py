"""Who deals triples: a party of its own, which learns block numbers and sizes and nothing else.

- app: what each of the two policy servers can ask of it
"""
