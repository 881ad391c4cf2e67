"""Messaging platforms: verification and parsing of what they send, and sending in their format.

- interface: the interface of a channel
- refusal, signatures, parsing, texts: shared handling of incoming data
- platform_requests: one request to a platform, sent at most once
- webhook, slack, discord, telegram, mail: one platform each, with its events and connection in modules of the same prefix
- chat_events, terminal: web chat and command line, where the speaker is the one who logged in
- connections: connections that the gateway opens to platforms
- quarantine: attached files
- registry: creation of a channel from its settings
"""
