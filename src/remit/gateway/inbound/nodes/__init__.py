"""Commands on devices, approved one by one.

- commands: which commands a device may be asked to run (data/nodes.table)
- runs: state machine and store of requests
- command_requests: a command from the agent's request to the device's answer, and the question to the approver
- devices: connections of devices, and their messages
- client: the program on a device
"""
