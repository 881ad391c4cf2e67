"""Routing of a message to an agent and a session.

- message: the common form of messages from all platforms
- links: identities that are the same person
- agents: the agent of a message
- sessions: the key of its conversation
"""
