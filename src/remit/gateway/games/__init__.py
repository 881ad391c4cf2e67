"""Security games that the two authorities must win, played against running processes (docs/authority.md, "Games").

- tally: counts of attempts and of the adversary's wins
- mail: a mail server that keeps what it receives
- installation: an installation in a folder of its own, with secrets, agents and a mail server
- direct_client: a client that does what a gateway does, honestly or not
- nbe, forged_presentations, agents, other_user, field_changes: no effect without two proofs for exactly it, once
- sm: secrets are never shown to an agent
- sap, relays, distinguisher: one policy server learns its leakage and nothing else
- lying_parties: a lying party causes no wrong decision, and is named
"""
