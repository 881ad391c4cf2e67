"""Our own style, scripts and icon: read once, kept by browsers as long as they do not change."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response

from remit.report.html_skill import skill_css
from remit.report.map_svg import map_css
from remit.web.console.page import WrongPageError

if TYPE_CHECKING:
    from starlette.requests import Request

_FOLDER = Path(__file__).with_name("static")
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Assets:
    """The files, by their name. Who was not let in may see them: there is nothing of a person in them."""

    def __init__(self) -> None:
        self._known = {
            path.name: (path.read_bytes(), _KINDS[path.suffix])
            for path in sorted(_FOLDER.iterdir())
            if path.suffix in _KINDS
        }
        self._known["map.css"] = (skill_css() + map_css()).encode(), _KINDS[".css"]
        self._digests = {name: sha256(data).hexdigest()[:16] for name, (data, _) in self._known.items()}

    def link(self, name: str) -> str:
        """The address of a file; another one when it changes."""
        return f"/static/{name}?{self._digests[name]}"

    async def show(self, request: Request) -> Response:
        """One of them."""
        found = self._known.get(request.path_params["name"])
        if found is None:
            raise WrongPageError(404, "there is no such file", "go to the start of the console")
        data, kind = found
        return Response(data, media_type=kind, headers={"cache-control": "private, max-age=31536000, immutable"})
