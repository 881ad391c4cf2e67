"""Regular expressions that are compiled when they are first used: most runs need a third of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Lazy:
    """Stands for a compiled pattern. Each method is looked up once and then is an attribute of its own."""

    def __init__(self, text: Any, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` returns, compiled at its first use. Only its methods and attributes may be used: it is no `re.Pattern`."""
    return cast("re.Pattern[AnyStr]", _Lazy(text, flags))
