"""The capsule: programs of a skill, confined and observed."""
