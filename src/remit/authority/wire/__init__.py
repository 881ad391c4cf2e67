"""Connections between the parties: Unix sockets, or mutual TLS.

- address: where a party listens, and which peers may connect
- server: an HTTP server on such a socket
- client: an HTTP client for one party
- metrics: health and Prometheus metrics of a party
"""
