"""The four games that the two authorities must win, played against running processes (docs/authority.md, "Games").

- tally: what was tried, how often, and what an adversary won
- mail: a mail server that keeps what it takes
- office: an installation in a folder of its own, with secrets, agents and a mail server
- asking: what a gateway does by hand, honest or not
- nbe, presenting, agents, strangers: no effect without two proofs for exactly it, once
- sm: secrets stay out of an agent's sight
- sap, relays, telling: one policy server learns its leakage and nothing else
"""
