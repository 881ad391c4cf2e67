"""What should worry a person who is about to install a skill, and what the skill can certainly not do."""
