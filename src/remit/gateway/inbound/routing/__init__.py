"""Which agent hears a message, and in which session.

- message: what is known of a message, whatever platform it came by
- links: which identities are one person
- agents: who hears it
- sessions: under which key it is remembered
"""
