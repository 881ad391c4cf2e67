"""How the parties reach one another: Unix sockets whose peers the kernel names, or TLS in which both sides show a certificate.

- address: where a party listens, and who may speak with it
- serving: an application behind such a socket
- asking: a client that speaks with one party
- frames: the lasting connection between the two policy servers
"""
