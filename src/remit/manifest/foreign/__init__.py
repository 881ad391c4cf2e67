"""Conversion of manifests from and to other formats."""
