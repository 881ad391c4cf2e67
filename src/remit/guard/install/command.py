"""The hook's command: our client by absolute paths, independent of the environment."""

from __future__ import annotations

import shlex
from pathlib import Path

from remit.guard.client.build import hook_command
from remit.guard.install.model import CLIENT_SECONDS, Site
from remit.guard.state_folder import COMPILED

HOME = "~"  # as the state folder: the one in the user's home folder, whatever the environment says
_TAIL = ("guard", "client", "client.py")


def client_words(host: str, event: str, site: Site, *, state: bool = True) -> list[str]:
    """Return the words of the command. They contain the state folder, because a project can set the variables that name
    it.

    For a hook that all users share, `state` is false: then it is in the home folder that the machine records for each
    user.
    """
    if not state:
        return list(hook_command(host, event, CLIENT_SECONDS, HOME))
    return list(hook_command(host, event, CLIENT_SECONDS, str(site.state), site.client))


def event_of(command: object, host: str) -> str | None:
    """Return the event for which a command in settings calls our client, of this or another version; None if it is not
    ours.
    """
    if not isinstance(command, str):
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    place = next((place for place, word in enumerate(words) if _is_client(Path(word))), len(words))
    return words[place + 2] if words[place + 1 : place + 2] == [host] and len(words) > place + 2 else None


def _is_client(path: Path) -> bool:
    return path.parts[-3:] == _TAIL or (path.is_absolute() and path.name == COMPILED)
