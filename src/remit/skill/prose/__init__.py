"""Instructions in the text of a skill, read by explainable rules: a lexicon and sentence context."""
