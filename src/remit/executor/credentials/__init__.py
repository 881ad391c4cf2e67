"""Who asks, in which session, and with which rights. All of it is in signed tokens, nothing of it in a request.

- tokens: workload tokens (who the caller is) and delegations (what it may do), each with one spelling
- issuing: how they are made
- verifying: a pure function of tokens, keys, revocations and time; gateway and executor each apply it
"""
