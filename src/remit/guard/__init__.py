"""Where do we ask? Hooks of real agents, and what answers them."""
