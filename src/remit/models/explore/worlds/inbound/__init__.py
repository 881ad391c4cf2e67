"""Models of the inbound gateway (`gateway/inbound`): one file a protocol, `model()` in each."""
