"""Web applications: the inbound gateway's chat and sockets, and the console.

- app: the inbound gateway as an application: web chat, platforms, devices
- chat: the web chat's socket
- login: login of sockets
- connection_limits: limits on connections
- server, alarms: the inbound gateway as a process
- console: the console for a person on this machine
"""
