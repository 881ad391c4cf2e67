"""Credentials: the caller, its session and its rights, all in signed tokens and none in the request.

- tokens: workload tokens (who the caller is) and delegations (what it may do), each in one canonical form
- issuer: issuing tokens
- verifier: a pure function of tokens, keys, revocations and time; gateway and executor each apply it
"""
