"""Basic vocabulary of Remit: capabilities, scopes, effects, locations, digests, errors. Standard library only."""

from remit.core.capability import Capability, Change, Level, SkillGuardName, Vocabulary, matches, vocabulary
from remit.core.digest import bytes_digest, canonical, digest, tree_digest
from remit.core.effect import Effect, Opaque, Origin
from remit.core.errors import DataError, InputError, LimitError, ManifestError, RemitError, UsageError
from remit.core.location import Location
from remit.core.scope import ANY_SCOPE, Scope, ScopeKind, covers, overlaps, parse_scope
from remit.core.sensitive import may_touch, sensitive

__all__ = [
    "ANY_SCOPE",
    "Capability",
    "Change",
    "DataError",
    "Effect",
    "InputError",
    "Level",
    "LimitError",
    "Location",
    "ManifestError",
    "Opaque",
    "Origin",
    "RemitError",
    "Scope",
    "ScopeKind",
    "SkillGuardName",
    "UsageError",
    "Vocabulary",
    "bytes_digest",
    "canonical",
    "covers",
    "digest",
    "matches",
    "may_touch",
    "overlaps",
    "parse_scope",
    "sensitive",
    "tree_digest",
    "vocabulary",
]
