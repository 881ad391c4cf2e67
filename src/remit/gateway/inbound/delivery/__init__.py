"""How an answer leaves, at most once.

- life: the pure step for one piece that is to be sent
"""
