"""Turns of an agent, and what the agent can do during one.

- turn: conversations, tools (data/calls.table), and the way from an event to an answer; each tool call is judged when it runs
- model_client: a client for model endpoints, with their formats
- model_proxy: access to the model for clients in capsules
"""
