"""The manifest of a skill: what it may do."""

from remit.manifest.find import OwnManifest, find_manifest, manifest_among, own_manifest, read_manifest
from remit.manifest.model import Decision, Manifest, Permission
from remit.manifest.read import parse_defaults, parse_manifest, read_defaults

__all__ = [
    "Decision",
    "Manifest",
    "OwnManifest",
    "Permission",
    "find_manifest",
    "manifest_among",
    "own_manifest",
    "parse_defaults",
    "parse_manifest",
    "read_defaults",
    "read_manifest",
]
