"""Installation of the guard into hosts, its removal, and checks that it holds there."""
