"""The last step before a command starts in a capsule: a small program in C, which closes what the mounts leave open."""
