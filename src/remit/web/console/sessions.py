"""A code from the terminal becomes a cookie, once; and what is sent with a cookie must also hold the token of its pages."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hmac import compare_digest
from typing import NamedTuple

COOKIE = "remit-console"
IDLE = 12 * 3600.0  # seconds after which nobody is believed to sit there any more
_MOST = 20  # browsers at a time; one more ends the one that was quiet for longest


class Session(NamedTuple):
    """A browser that was let in. `token` stands in its pages, and in whatever they send."""

    token: str
    seen: float


class Sessions:
    """All browsers that were let in, and the code for the next.

    `base` is the path below which all pages are, and the path of the cookie. Browsers give cookies to every port of a
    host: what else listens on this machine would be given ours if it knew the path, and it does not.
    """

    def __init__(self, tell: Callable[[str], None] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.base = f"/{secrets.token_urlsafe(12)}"
        self._tell = tell
        self._clock = clock
        self._code = ""
        self._known: dict[str, Session] = {}

    def new_code(self) -> str:
        """The code that lets one browser in; the one before does not any more."""
        self._code = secrets.token_urlsafe(32)
        if self._tell:
            self._tell(self._code)
        return self._code

    def enter(self, code: str) -> str | None:
        """The cookie for whoever has the code; None for everybody else. The code is spent, and the next one told."""
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
        """The session of a cookie; one that was idle for too long is over."""
        found = None
        for known in self._known:  # all of them: how long it takes must not tell which
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
        """That browser is not let in any more."""
        self._known.pop(cookie, None)
