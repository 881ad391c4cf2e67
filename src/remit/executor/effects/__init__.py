"""What happens, for real: one adapter for each kind of effect of `authority/data/intents.table`.

- form: what an adapter is given, and what it says
- settings: which effects there are, from effects.json
- message, web: mail; what is fetched and posted
- confined, files, process: what happens in a capsule
- skills: installed through admission
- acknowledged: what lies with the gateway
"""
