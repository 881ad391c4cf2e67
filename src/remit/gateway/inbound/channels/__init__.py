"""The platforms: what they send is checked and made into events; what is to be sent goes out in their form.

- form: what a channel is
- refusal, signing, reading, texts: what all of them do with what comes in
- posting: one request to a platform, sent at most once
- webhook, slack, discord, telegram: one platform each, with its events beside it
- connected: the web chat and the command line, where whoever speaks has logged in
- registry: the channel of some settings
"""
