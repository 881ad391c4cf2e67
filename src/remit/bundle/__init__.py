"""Who says so? Keys, signatures, trust roots, and bundles of evidence."""
