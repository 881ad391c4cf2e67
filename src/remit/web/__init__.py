"""How is it used in a browser? The pages, and the sockets behind them.

- app: the inbound gateway as an application: web chat, platforms, devices
- chat: the web chat's socket
- node: a device's socket
- letting_in: whoever comes is let in first
- pages: what a browser is given
"""
