"""Skills: reads a folder into a `Skill`; nothing in it is run."""
