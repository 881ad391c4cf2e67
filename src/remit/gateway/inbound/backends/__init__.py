"""Implementations of an agent: a model that the gateway asks, or a client program in a capsule and under the guard.

- backend: the interface, and the model as one implementation
- client: a turn of Claude Code or Codex
- programs: the specifics of each client
- capsule_run: the process that starts a client in its capsule
- bridge: the program inside that forwards hooks and tools to the gateway
- socket: the gateway's end of it
"""
