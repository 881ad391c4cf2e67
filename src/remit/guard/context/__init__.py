"""What may enter an agent's context, and what may leave it: pure functions over text."""
