"""Method B: a typed dispatch that is generated from a manifest and checked by type checkers."""
