"""The gateway between agents and everything they can affect.

An agent asks through it, and proofs never go back to the agent.

- gateway, acts: `act`, from the request to the answer
- revocations: withdrawn credentials (callers and their rights are checked in executor/credentials)
- effects, transactions: preview and commit
- handles, state: secret values that an agent can use but not see, and stores
- local: intents that the gateway serves itself
- parties: clients for the policy servers and the executor
- fronts, run: HTTP and MCP interfaces for agents, and the process
- deployment: installing all parties on one machine or several
"""
