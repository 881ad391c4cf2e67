"""What happened? The log of every envelope, decision and effect, and what the world says to it."""
