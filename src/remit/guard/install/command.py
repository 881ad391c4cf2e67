"""The command that a hook runs: our client by absolute paths, whatever the environment says."""

from __future__ import annotations

import shlex
from pathlib import Path

from remit.guard.client.build import hook_command
from remit.guard.install.model import CLIENT_SECONDS, Site
from remit.guard.state_folder import COMPILED

HOME = "~"  # as the state folder: the one in the user's home folder, whatever the environment says
_TAIL = ("guard", "client", "client.py")


def client_words(host: str, event: str, site: Site, *, state: bool = True) -> list[str]:
    """The words of the command. The state folder is written down, because a project can set the variables that name it.

    Where the hook is everybody's, `state` is false: then it lies in the home folder that the machine has for each user.
    """
    if not state:
        return list(hook_command(host, event, CLIENT_SECONDS, HOME))
    return list(hook_command(host, event, CLIENT_SECONDS, str(site.state), site.client))


def event_of(command: object, host: str) -> str | None:
    """The event for which a command in settings asks our client, of this or another version; None if it is not ours."""
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
