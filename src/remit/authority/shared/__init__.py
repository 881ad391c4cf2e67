"""Bits that two servers hold together, each a share that says nothing by itself, and how they compute with them.

Sums (exclusive or) are computed by each alone. A product takes a triple and one exchange (Goldreich, Micali and Wigderson, with
the triples of Beaver). Protocols are generators: they yield the bytes for the other party and are sent what it said, and know
nothing of sockets.

- products: the product of many bits at once
- triples: a party's triples, each used once
- members: shares of buckets to shares of "is a member"
- gates: the shares of a program's outputs
"""
