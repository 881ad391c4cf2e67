"""How is it used in an editor? A language server: what is found of a skill, at its line, while it is written."""
