"""Models of the state machines that run."""
