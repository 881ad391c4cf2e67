"""Who authorises? Two policy servers that answer look-ups without learning what is looked up, and sign what they answered.

- values: a request in its one spelling, its commitment, and the proofs that two servers give for it
- dpf: shares of a point: what a server is asked is hidden from it
- tables: exact membership in lists: fingerprints in buckets, with tags that no server can make
- question: from a request to two questions, and from two answers to what is in which list
- program: a policy in one file, and the decision that gateway and executor each evaluate
- database, policy_files: a policy as it is built by its operator
- server: a policy server as a process
- wire: how parties speak with one another
"""
