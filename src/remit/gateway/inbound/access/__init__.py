"""Listening addresses of the gateway, and authentication of connections.

- settings: bind and authentication, and their effective values
- client_address: a client's real address behind proxies
- origin: checks of a page's origin and of the host name
- login: the decision to accept a login
- login_limits: limits on wrong logins by address
- connection: state of a connection; nothing is read as a command before the login
- tailnet: the user of an address in the tailnet
"""
