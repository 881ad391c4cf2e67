"""Names of environment variables: secrets, and placeholders to fill in."""

from __future__ import annotations

from remit.core.patterns import lazy_pattern

NAME = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # with an underscore: a word in capitals alone is more often emphasis

_SECRET = lazy_pattern(
    r"API_?KEY|TOKEN(?!S|IZ|_(?:COUNT|LIMIT|BUDGET))|SECRET|PASSW|PASSPHRASE|CREDENTIALS?\b|CREDENTIALS?_|PRIVATE_KEY|ACCESS_KEY|AUTH_KEY"
    r"|CONNECTION_STRING|(?<!PUBLIC)_KEY\Z|_PAT\Z"
)
_BLANK = lazy_pattern(r"(?:YOUR|MY|EXAMPLE|SOME|INSERT|REPLACE)_|.*_HERE\Z|MAX_|NUM_|N_")


def holds_secret(name: str) -> bool:
    """Whether a variable has the name of a key, token or password."""
    return bool(_SECRET.search(name)) and not _BLANK.match(name)


def is_blank(name: str) -> bool:
    """Whether a name is a placeholder that the reader fills in (`YOUR_API_KEY`), not a variable."""
    return bool(_BLANK.match(name))
