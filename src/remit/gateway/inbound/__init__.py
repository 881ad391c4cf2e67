"""The inbound gateway: connects people and devices to agents.

Each protocol is a pure function; stores apply its steps atomically.

- access: who may connect, and how they log in
- pairing: admission of new people by the operator
- events, intake: which events are accepted, each of them once
- routing: the agent and session of a message
- channels: messaging platforms
- delivery: sending of answers, at most once
- turns, agent, backends, turn_context: turns of an agent, and what runs them
- tool_policy: eight layers, deny wins
- nodes: commands on devices, approved one by one
- laws, monitor: properties that are checked while the gateway runs
- settings: reading and writing the settings
- stores: store operations, written so that they can be interleaved in models
- service: the running gateway
"""
