"""Is all this true? Our own analysis of our own source, and models of the state machines that run."""
