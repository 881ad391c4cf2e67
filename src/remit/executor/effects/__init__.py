"""What happens, for real: one adapter for each kind of effect of `authority/data/intents.table`.

- form: what an adapter is given, and what it says
"""
