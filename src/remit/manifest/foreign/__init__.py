"""Manifests of others: what they mean in our words, and how ours are said in theirs."""
