"""What the gateway does by itself: nothing of it leaves the machine, and none of it needs proofs.

- workspace: files below one folder, without following links
- notes: memory of callers, and messages between them
- skills: the skills in a folder, read and not run
- serving: from an intent to who serves it
"""
