"""Two policy servers that answer look-ups without learning what is looked up, and sign their answers.

- values: a request in its canonical form, its commitment, and the proofs of the two servers
- dpf: distributed point functions, which hide from a server what it is asked
- tables: exact membership in lists: fingerprints in buckets, with tags that no server can make
- question: the two questions of a request, and what the two answers say about list membership
- program: a policy in one file, and the decision that gateway and executor each evaluate
- database, policy_files: what the operator builds from a policy
- server: a policy server as a process
- wire: connections between the parties
"""
