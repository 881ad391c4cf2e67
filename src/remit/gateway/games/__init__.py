"""Security games that the two authorities must win, played against running processes (docs/authority.md, "Games").

- tally: counts of attempts and of the adversary's wins
- mail: a mail server that keeps what it receives
- office: an installation in a folder of its own, with secrets, agents and a mail server
- asking: a client that does what a gateway does, honestly or not
- nbe, presenting, agents, strangers, fields: no effect without two proofs for exactly it, once
- sm: secrets are never shown to an agent
- sap, relays, telling: one policy server learns its leakage and nothing else
- lies: a lying party causes no wrong decision, and is named
"""
