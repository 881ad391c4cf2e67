"""Where does it come from? A folder, an archive or a Git repository becomes a folder that Remit can read; nothing of it is run."""
