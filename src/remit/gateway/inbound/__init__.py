"""The inbound gateway: connects people and devices to agents.

Each protocol is a pure function; stores apply its steps atomically.

- access: listening addresses, and authentication of connections
- pairing: admission of new people by the operator
- routing: the agent and session of a message
- ingress: which events are accepted, each of them once
- channels: messaging platforms
- delivery: sending of answers, at most once
- agent, backends, turns: turns of an agent, and what runs them
- tools: policy of tools: eight layers, deny wins
- nodes: commands on devices, approved one by one
- laws: properties that a monitor checks while the gateway runs
- settings: reading and writing the settings
- stores: store operations, written so that they can be interleaved in models
"""
