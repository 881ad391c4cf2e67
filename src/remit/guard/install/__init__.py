"""How the guard gets into a host, and out again; and whether it holds there."""
