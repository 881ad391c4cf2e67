"""Sources of skills: makes a folder, an archive or a Git repository readable as a folder; nothing in it is run."""
