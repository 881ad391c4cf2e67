"""The helper: a small C program that closes what the mounts leave open, and then becomes the command in the capsule."""
