"""Clients that are an agent, in a capsule and under the guard.

- client: a turn of Claude Code or Codex, and the gateway's end of the bridge
- programs: the specifics of each client
- capsule_run: the process that starts a client in its capsule
- bridge: the program inside that forwards hooks and tools to the gateway
"""
