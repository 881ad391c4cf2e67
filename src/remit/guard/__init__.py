"""The guard: decides on an agent's tool calls through the hooks of its host."""
