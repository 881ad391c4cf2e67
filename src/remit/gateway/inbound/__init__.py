"""Who may speak to the agent, and what may be done for them. Each protocol is a pure function; stores apply it whole.

- access: where the gateway listens, who it lets in, and what an audit of the settings finds
- pairing: how a stranger is let in by the operator
- routing: which agent hears a message, and in which session
- ingress: which events are heard, and each of them once
- delivery: how an answer leaves, at most once
- tools: what an agent may call: eight layers, deny wins
- nodes: commands on devices, approved one by one
- stores: the operations that are applied to a store, written so that they can be interleaved
"""
