"""Login of browsers: a code from the terminal is exchanged for a cookie, once; forms must also carry the session's
token.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hmac import compare_digest
from typing import NamedTuple

COOKIE = "remit-console"
IDLE = 12 * 3600.0  # seconds of inactivity after which a session ends
_MOST = 20  # sessions; one more ends the least recently used


class Session(NamedTuple):
    """A logged-in browser. `token` is in its pages and must be in its forms."""

    token: str
    seen: float


class Sessions:
    """All logged-in browsers, and the code for the next.

    `base` is the path of all pages and of the cookie. Browsers send cookies to every port of a host: another server on
    this machine would get ours if it knew the path, so the path is secret.
    """

    def __init__(self, tell: Callable[[str], None] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.base = f"/{secrets.token_urlsafe(12)}"
        self._tell = tell
        self._clock = clock
        self._code = ""
        self._known: dict[str, Session] = {}

    def new_code(self) -> str:
        """Create the code for the next browser; the previous one becomes void."""
        self._code = secrets.token_urlsafe(32)
        if self._tell:
            self._tell(self._code)
        return self._code

    def enter(self, code: str) -> str | None:
        """Return a cookie for a valid code, else None. The code is spent and the next one printed."""
        if not self._code or not compare_digest(code.encode(), self._code.encode()):
            return None
        self._code = ""
        cookie = secrets.token_urlsafe(32)
        self._known[cookie] = Session(secrets.token_urlsafe(32), self._clock())
        while len(self._known) > _MOST:
            del self._known[min(self._known, key=lambda one: self._known[one].seen)]
        self.new_code()
        return cookie

    def of(self, cookie: str) -> Session | None:
        """Return the session of a cookie; None if it is unknown or was idle for too long."""
        found = None
        for known in self._known:  # compare with all: the time must not reveal which one matches
            if compare_digest(known.encode(), cookie.encode()):
                found = known
        if found is None:
            return None
        session, now = self._known[found], self._clock()
        if now - session.seen > IDLE:
            del self._known[found]
            return None
        self._known[found] = session._replace(seen=now)
        return session

    def leave(self, cookie: str) -> None:
        """End the session of a browser."""
        self._known.pop(cookie, None)
