"""Commands on devices, approved one by one.

- commands: which commands a device may be asked to run (data/nodes.table)
- runs: state machine of a request; pure
- store: stored requests
- command_requests: a command from the agent's request to the device's answer
- approval_text: the question to the approver
- protocol, devices: messages and connections of devices
- client, backends: the program on a device
"""
