"""Which skills are installed, where, and from what? Skills are put into the folders of agent hosts, replaced and removed."""
