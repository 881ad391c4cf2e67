"""Who authorises? Two policy servers that look up, decide and sign without learning what they are asked about.

- values: a request in its one spelling, its commitment, and the proofs that two servers give for it
- dpf: shares of a point: what a server is asked is hidden from it
- tables: exact membership in lists, by look-ups that are shared between the two servers
- circuit: a policy as gates, and its evaluation by two parties that learn nothing but the result's shares
"""
