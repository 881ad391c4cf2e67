"""What the text of a skill tells the agent to do, read by rules that can be explained: a lexicon and sentence context."""
