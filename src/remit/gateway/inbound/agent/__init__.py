"""Turns of an agent, and what the agent can do during one.

- conversation: a conversation
- event_text: an event as text for the agent
- tools: the tools that models are offered (data/calls.table)
- model_apis: request and response formats of model endpoints
- endpoint, model_client: a client for model endpoints
- model_proxy: access to the model for clients in capsules
- turn: from an event to an answer; each tool call is judged when it runs
- guard_client: judgement of tool calls by the guard
- outbound_client: tools with outside effects go to the outbound gateway
"""
