"""Turns of an agent, and what the agent can do during one.

- talk: a conversation
- hearing: an event as text for the agent
- tools: the tools that models are offered (data/calls.table)
- dialects: request and response formats of model endpoints
- endpoint, thinking: a client for model endpoints
- relay: access to the model for clients in capsules
- turn: from an event to an answer; each tool call is judged when it runs
- guarding: judgement of tool calls by the guard
- authority: tools with outside effects go to the outbound gateway
"""
