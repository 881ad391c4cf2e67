"""What answers as an agent: a model that is asked by us, or a client with a loop of its own, in a capsule and under the guard.

- backend: the interface, and the model as one of its implementations
- client: a turn of Claude Code or Codex
- programs: what is particular to each client
- capsule_run: the process that puts a client into its capsule
- bridge: the program inside, which brings hooks and tools out to the gateway
- socket: the gateway's end of it
"""
