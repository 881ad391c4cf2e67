"""Security games that the two authorities must win, played against running processes (docs/authority.md, "Games").

- installation: an installation in a folder of its own, with secrets, agents and a mail server; counts of attempts and wins
- direct_client: a client that does what a gateway does, honestly or not
- nbe, forged_presentations: no effect without two proofs for exactly it, once
- sm: secrets are never shown to an agent
- sap: one policy server learns its leakage and nothing else
- lying_parties: a lying party causes no wrong decision, and is named
"""
