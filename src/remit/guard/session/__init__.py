"""Who acts in a session: its workspace, its skills, and where its texts come from."""
