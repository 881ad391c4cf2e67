"""Who may speak, and through what? What an agent asks for goes through here, and nothing that proves it comes back.

- gateway, acts, answers, codes: `act`, from what is sent to what is told
- revocations: credentials that were taken back (who asks, and with which rights, is in executor/credentials)
- effects, settling, transactions: preview and commit
- handles, sealing: values that are used and not seen
- local: what stays here
- ports, parties: the policy servers and the executor
- fronts, run: where agents ask
- deployment: all parties of one machine
"""
