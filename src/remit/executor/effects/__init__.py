"""Adapters that perform effects: one for each kind of effect in `authority/data/intents.table`.

- adapter: the interface of an adapter
- settings: the configured effects, from effects.json
- message, web: mail, fetching and posting
- capsule_command, files, process: effects in a capsule
- skills: installation through admission
"""
