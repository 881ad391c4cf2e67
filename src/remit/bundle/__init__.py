"""Bundles of signed evidence, with keys, signatures and trust roots."""
