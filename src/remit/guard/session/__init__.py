"""State of a session: its workspace, its skills, and the origins of its texts."""
