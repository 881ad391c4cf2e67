"""Where the gateway listens, and whom it lets in.

- settings: bind and authentication, and what they come to
- client: from where somebody really comes, behind proxies
- origin: whose page asks, and by which name
- login: whether it is let in
- connection: nothing is read from whoever was not let in
- findings: what is wrong with the settings
"""
