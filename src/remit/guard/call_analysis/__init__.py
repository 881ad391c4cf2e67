"""What a call of an agent would do: its requests with real paths, and where it sends things."""
