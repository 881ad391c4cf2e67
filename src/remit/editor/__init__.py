"""The language server: shows the findings of a skill in an editor, at their lines, while it is written."""
