"""The reality check: run a program, watch it, and compare with what was predicted."""
