"""What may it do? The manifest of a skill."""

from remit.manifest.model import Decision, Manifest, Permission
from remit.manifest.read import find_manifest, parse_defaults, parse_manifest, read_defaults, read_manifest

__all__ = [
    "Decision",
    "Manifest",
    "Permission",
    "find_manifest",
    "parse_defaults",
    "parse_manifest",
    "read_defaults",
    "read_manifest",
]
