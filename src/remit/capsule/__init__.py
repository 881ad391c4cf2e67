"""What can it reach, and what did it do? Programs of a skill, confined and observed."""
