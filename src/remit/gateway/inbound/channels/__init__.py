"""Messaging platforms: verification and parsing of what they send, and sending in their format.

- interface: the interface of a channel
- parsing, texts: shared handling of incoming data, and lengths of texts
- platform_requests: one request to a platform, sent at most once
- webhook, slack, discord, telegram, mail: one platform each, with its events and its connection
- terminal: messages of the web chat and the command line, where the speaker is the one who logged in
- connections: channels from their settings, and the connections that they open
- quarantine: attached files
"""
