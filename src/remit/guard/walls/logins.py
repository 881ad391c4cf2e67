"""The user's own login for one command inside of walls: `git push` with the SSH keys of the person who agreed to it.

The login goes to one program. It stays outside if the command runs anything else that could read it: another program, a hook or
setting of the repository, a script of the package. Then the reason is said, and how it works.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from remit.capsule.ground import lies_in
from remit.core.errors import DataError
from remit.core.location import Location
from remit.core.scope import DEEP, HostScope, PathScope
from remit.core.scope.component import literal
from remit.core.table import read_table
from remit.guard.paths import file_scope, real_path
from remit.guard.walls.call import GLUES, joined
from remit.policy.request import Request

_TABLE = Path(__file__).resolve().parents[1] / "data" / "logins.table"
_SENDS = frozenset("commit.push publish api.call web.fetch web.post web.interact net.connect".split())
_PORTS = {"http": 80, "https": 443, "ssh": 22}
_SECONDS = 10
_WALL = "/run/remit/wall"  # this program inside: it connects through the egress proxy
# settings of a repository that neither name a program nor lead elsewhere
_HARMLESS = re.compile(
    r"core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|quotepath)"
    r"|extensions\.(worktreeconfig|objectformat|refstorage|partialclone)|user\.(name|email)|init\.defaultbranch|color\..*|gc\..*"
    r"|remote\..*\.(url|pushurl|fetch|push|tagopt|prune|gh-resolved|promisor|partialclonefilter)|commit\.gpgsign"
    r"|branch\..*\.(remote|merge|rebase|pushremote|description|gh-merge-base|vscode-merge-base|github-pr-owner-number)"
    r"|push\.(default|autosetupremote|followtags)|pull\.(rebase|ff)|fetch\.prune|rebase\..*|merge\.ff|submodule\..*\.(url|active)"
)
_HOOKS = ("pre-push", "reference-transaction", "post-checkout", "post-merge", "post-rewrite", "post-index-change")
_SCRIPTS = frozenset({"prepublish", "prepublishOnly", "prepare", "prepack", "postpack", "publish", "postpublish"})
_READING = frozenset({"<", "<>", "<&"})
# words by which a command changes what the next one in the same shell means
_STEERS = frozenset(
    ". alias builtin cd command declare enable eval exec exit export hash local popd pushd read readonly return set shopt source trap "
    "typeset ulimit umask unalias unset".split()
)
_PLAIN = frozenset({"Program", "Seq", "AndOr", "Pipeline", "Simple", "Redirected", "Redirect", "Word", "Lit", "CmdSub"})


class Login(NamedTuple):
    """Which of the user's credentials a command may use, and only that command."""

    words: str  # as a question names it; empty: the host needs none
    files: tuple[str, ...] = ()
    hosts: tuple[tuple[str, int], ...] = ()
    sockets: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    left_out: str = ""  # why it stays outside all the same
    parts: tuple[str, str, str] | None = None  # what runs before without it, what stands between, and what runs with it

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return the requests that walls let through for it."""
        if self.left_out:
            return ()
        files = (file_scope(one) for one in self.files)
        shown = (one._replace(parts=(*one.parts, DEEP)) if _is_folder(one) else one for one in files)
        hosts = (HostScope(host, port) for host, port in self.hosts)
        return (*(Request("secret.read", one) for one in shown), *(Request("net.connect", one) for one in hosts))


def _is_folder(scope: PathScope) -> bool:
    return os.path.isdir("/" + "/".join(literal(part) or part for part in scope.parts))


class _Row(NamedTuple):
    """One line of the table."""

    command: tuple[str, ...]
    options: frozenset[str]
    files: tuple[str, ...]
    hosts: tuple[str, ...]
    words: str


class Call(NamedTuple):
    """A shell command that a skill wants to run, and where."""

    text: str
    commands: tuple[tuple[str, ...], ...]  # its simple commands, as the analysis read them
    cwd: str
    workspace: str
    home: str


def find_login(call: Call) -> Login | None:
    """The login that one of the commands of a call would use; None if the table names none of them.

    If only the last command may have it, it runs apart from the others (`git commit -m x && git push`).
    """
    found = _login_of(call)
    if found is None or not found.left_out or not (parts := _parted(call.text)):
        return found
    commands = _commands(_parsed(parts[2]))
    if not any(
        words[0] in _STEERS or "<any>" in words[:2] or words[:2] == ("git", "push")
        for words in _commands(_parsed(parts[0]))
    ):
        last = _login_of(call._replace(text=parts[2], commands=commands))
        if last is not None and not last.left_out and last.hosts and commands[-1:] and commands[0][0] in ("git", "gh"):
            return last._replace(parts=parts)
    return found


def _login_of(call: Call) -> Login | None:
    for words in call.commands:
        rows = [row for row in _rows() if words[: len(row.command)] == row.command]
        if not rows:
            continue
        if rows[0].command[0] == "git":
            found = _of_git(rows, words, call)
        else:
            found = _with_files(rows[0], call.home, tuple((host, 443) for host in rows[0].hosts))
        if not found.hosts:
            return found
        pinned = _pinned(call) if rows[0].command[0] in ("git", "gh") else ()
        return found._replace(left_out=_refusal(call, rows[0], found), variables=(*found.variables, *pinned))
    return None


def uses_login(login: Login | None, capabilities: Iterable[str]) -> bool:
    """Whether something that was let through is what the login is for."""
    return login is not None and not _SENDS.isdisjoint(capabilities)


def _with_files(row: _Row, home: str, hosts: tuple[tuple[str, int], ...]) -> Login:
    files = tuple(path for name in row.files if os.path.exists(path := f"{home}/{name}"))
    shown = ", ".join(f"`~/{path[len(home) + 1 :]}`" for path in files)
    return Login(f"{row.words} ({shown})" if files else "", files, hosts)


# --- the remote of git ---


def _of_git(rows: Sequence[_Row], words: tuple[str, ...], call: Call) -> Login:
    where = _remote(words, call)
    scheme, host, port = _address(where)
    row = next((row for row in rows if scheme.startswith(row.hosts[0])), None)
    if row is None:
        return Login("")
    if scheme != "ssh":
        found = _with_files(row, call.home, ((host, port or _PORTS[scheme]),))
        return found._replace(variables=(("GIT_TERMINAL_PROMPT", "0"),))
    settings = dict(
        line.split(" ", 1) for line in _said(call, "/", "ssh", "-G", *_port_words(port), "--", host) if " " in line
    )
    real = settings.get("hostname", host)
    found = _with_files(row, call.home, ((real, int(settings.get("port", "22"))),))
    agent = os.path.realpath(os.environ.get("SSH_AUTH_SOCK") or "/")
    if Path(agent).is_socket():
        words_of = (
            f"{row.words} ({', '.join([*(f'`~/{name}`' for name in row.files if found.files), 'the SSH agent'])})"
        )
        found = found._replace(words=words_of, sockets=(agent,), variables=(("SSH_AUTH_SOCK", agent),))
    own = next(iter(_said(call, "/", "git", "config", "--global", "core.sshCommand")), "ssh")
    through = f"{own} -o BatchMode=yes -o ControlMaster=no -o ControlPath=none -o ProxyCommand='{_WALL} connect %h %p'"
    return found._replace(variables=(*found.variables, ("GIT_SSH_COMMAND", through)))


def _port_words(port: int | None) -> tuple[str, ...]:
    return () if port is None else ("-p", str(port))


def _remote(words: tuple[str, ...], call: Call) -> str:
    """Return the destination of `git push`; empty if unknown."""
    operands = [word for word in words[2:] if not word.startswith("-")]
    remotes = _said(call, call.workspace, "git", "remote")
    name = operands[0] if operands else remotes[0] if len(remotes) == 1 else ""
    if name in remotes:
        found = _said(call, call.workspace, "git", "remote", "get-url", "--push", "--all", name)
        return found[0] if len(found) == 1 else ""
    return (
        next(iter(_said(call, call.workspace, "git", "ls-remote", "--get-url", name)), "")
        if "//" in name or ":" in name
        else ""
    )


def _address(where: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of a remote; empty ones for what is neither SSH nor HTTP."""
    try:
        if "://" in where:
            parts = urlsplit(where)
            known = parts.scheme in _PORTS and parts.hostname and not parts.hostname.startswith("-")
            return (parts.scheme, parts.hostname or "", parts.port) if known else ("", "", None)
    except ValueError:
        return "", "", None
    host, colon, path = where.partition(":")
    if colon and "/" not in host and not path.startswith(":") and not host.startswith("-"):
        return "ssh", host.rpartition("@")[2], None
    return "", "", None


# --- who else could read it ---


def _refusal(call: Call, row: _Row, found: Login) -> str:
    """Why the login stays outside; empty if nothing but the one command can use it."""
    start = len(row.command)
    alike = [one for one in call.commands if one[:start] == row.command]  # a branch and a tag are two pushes
    options = [word.partition("=")[0] for one in alike for word in one[start:] if word.startswith("-") and word != "-"]
    odd = next((one for one in options if one not in row.options), "")
    if odd:
        return f"Remit does not know what `{odd}` does with it"
    if any(_leads_to(word, found.files, call) for one in alike for word in one):
        return "the command names it as a file"
    runs = next(filter(None, (_of_package(call, one) for one in alike)), "") if row.command[0] == "npm" else ""
    if row.command[0] in ("git", "gh"):
        runs = _of_repository(call)
    others = [one for one in call.commands if one not in alike and not _is_harmless(one, call.cwd)]
    if not runs and (others or not _is_plain(call.text)):
        return f"the command does more than `{' '.join(row.command)}`: run that alone"
    return runs


def _is_harmless(words: tuple[str, ...], cwd: str) -> bool:
    """Whether a command of the same call can neither read files nor start anything."""
    operands = [word for word in words[1:] if not word.startswith("-")]
    if words[0] in ("head", "tail", "cat"):
        return all(word.lstrip("-").removeprefix("n").isdecimal() for word in words[1:])
    if words[0] == "cd":
        return len(operands) == 1 and real_path(operands[0], cwd, "") == os.path.realpath(cwd)
    return words[0] in ("echo", "true")


def _is_plain(text: str) -> bool:
    """Whether a text is simple commands, one after the other: no assignments, functions, expansions, or files that are read."""
    return all(
        type(node).__name__ in _PLAIN and not getattr(node, "assigns", None) and getattr(node, "op", "") not in _READING
        for node in _nodes(_parsed(text))
    )


def _parsed(text: str) -> Any:
    from remit.analysis.shell.compound import parse  # noqa: PLC0415  (few commands come so far)
    from remit.analysis.shell.syntax import Unit  # noqa: PLC0415
    from remit.analysis.world import Site  # noqa: PLC0415

    return parse(Unit(text, lambda line: Site(Location("", line))))


def _nodes(tree: Any) -> Iterator[Any]:
    """Return all parts of a parsed text, in their order."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from _nodes(item)
    elif dataclasses.is_dataclass(tree):
        yield tree
        for one in dataclasses.fields(tree):
            if one.name not in ("unit", "const"):
                yield from _nodes(getattr(tree, one.name))


def _commands(tree: Any) -> tuple[tuple[str, ...], ...]:
    """Return the words of the simple commands of a parsed text; what is expanded is `<any>`."""
    simple = [node for node in _nodes(tree) if type(node).__name__ == "Simple"]
    texts = (tuple(map(_literal, node.words)) for node in simple)
    return tuple(words or ("<any>",) for words in texts)


def _literal(word: Any) -> str:
    pieces: tuple[Any, ...] = getattr(word, "pieces", (None,))
    return "".join(piece.text if type(piece).__name__ == "Lit" else "<any>" for piece in pieces)


def _parted(text: str) -> tuple[str, str, str] | None:
    """Return a text as what comes before its last command, what stands between, and that command; None if it is only one, or what comes
    before defines something for it.
    """
    tree = _parsed(text)
    last: Any = tree.items[-1] if tree.items else None
    if type(last).__name__ == "Seq" and len(last.items) > 1:
        last = last.items[-1]
    if type(last).__name__ == "AndOr" and last.op == "&&":
        last = last.right
    start = next((node.pos for node in _nodes(last) if type(node).__name__ == "Simple"), 0)
    before = text[:start].rstrip(" ")
    glue = next((one for one in GLUES if before.endswith(one)), "")
    left = before.removesuffix(glue).rstrip(" ")
    if not glue or not left or joined(left, glue, text[start:]) != text:
        return None
    defines = (node for node in _nodes(_parsed(left)) if type(node).__name__ in ("Function", "Assign", "Background"))
    return None if any(True for _ in defines) else (left, glue, text[start:])


def _leads_to(word: str, files: Iterable[str], call: Call) -> bool:
    """Whether a word of the command, or a part of it, is the path of a file of the login, or of a folder that holds it."""
    for piece in {word, *re.split(r"[=@:,]", word)} - {""}:
        where = real_path(piece.removeprefix("//"), call.cwd, call.home)
        named = os.path.normpath(os.path.join(call.cwd, piece))
        if where is None or any(lies_in(one, path) or lies_in(path, one) for one in files for path in (where, named)):
            return True
    return False


def _of_repository(call: Call) -> str:
    """Return why the command could run code of the repository, or leave it; empty if it cannot."""
    top = next(iter(_said(call, call.cwd, "git", "rev-parse", "--show-toplevel")), "")
    if not top or os.path.realpath(top) != call.workspace:
        return "it is not the repository of the workspace"
    rows = "\n".join(_said(call, call.workspace, "git", "config", "-z", "--list", "--show-scope", "--includes")).split(
        "\0"
    )
    scoped = zip(rows[::2], rows[1::2], strict=False)
    own = [entry.partition("\n")[0] for scope, entry in scoped if scope not in ("global", "system")]
    odd = next((name for name in own if not _HARMLESS.fullmatch(name)), "")
    tree = next(iter(_said(call, call.workspace, "git", "rev-parse", "--git-path", "config.worktree")), "")
    if "extensions.worktreeconfig" in own and not os.path.exists(os.path.join(call.workspace, tree)):
        odd = "extensions.worktreeConfig"
    if odd:
        return f"the repository sets `{odd}`, which could read it"
    hooks = next(iter(_said(call, call.workspace, "git", "rev-parse", "--git-path", "hooks")), "")
    folder = os.path.join(call.workspace, hooks)
    hook = next((name for name in _HOOKS if os.access(f"{folder}/{name}", os.X_OK)), "")
    return f"the hook `{hook}` of the repository could read it" if hook else ""


def _pinned(call: Call) -> tuple[tuple[str, str], ...]:
    """Return the variables by which git uses the repository that was looked at, and no hook, whatever is made meanwhile."""
    said = _said(call, call.workspace, "git", "rev-parse", "--absolute-git-dir", "--git-common-dir")
    if len(said) != 2:
        return ()
    common = os.path.realpath(os.path.join(call.workspace, said[1]))
    where = (("GIT_DIR", said[0]), ("GIT_COMMON_DIR", common), ("GIT_WORK_TREE", call.workspace))
    return (
        *where,
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.hooksPath"),
        ("GIT_CONFIG_VALUE_0", "/dev/null"),
    )


def _of_package(call: Call, words: tuple[str, ...]) -> str:
    """Return why npm could run code of the package with the command; empty if it cannot."""
    if any(word.endswith((".tgz", ".tar.gz")) for word in words[2:]):
        return ""  # a packed one runs nothing
    if any(not word.startswith("-") and "/" in word for word in words[2:]):
        return "run `npm publish` in the folder of the package, or give it a packed one"
    try:
        package = json.loads(Path(call.cwd, "package.json").read_text("utf-8"))
        scripts = sorted(_SCRIPTS.intersection(package.get("scripts", {})))
    except (OSError, ValueError, AttributeError, TypeError):
        return "`package.json` cannot be read"
    return (
        f"the script `{scripts[0]}` of the package could read it: run `npm pack`, then publish the file"
        if scripts
        else ""
    )


def _said(call: Call, folder: str, *command: str) -> list[str]:
    """The lines that a program of the machine prints; none if it fails. None of them runs what a repository names."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"HOME": call.home}
    try:
        done = subprocess.run(  # noqa: S603  (git or ssh, with words of ours)
            command, cwd=folder, env=kept, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.decode("utf-8", "surrogateescape").splitlines() if done.returncode == 0 else []


@cache
def _rows() -> tuple[_Row, ...]:
    found: list[_Row] = []
    for row in read_table(_TABLE, 5):
        command, options, files, hosts, words = row.cells
        if not all(row.cells):
            raise DataError(f"{row.where}: a login has a command, options, files, hosts and a name", "correct the line")
        listed = (options.split(), files.split(), hosts.split())
        found.append(_Row(tuple(command.split()), frozenset(listed[0]), tuple(listed[1]), tuple(listed[2]), words))
    return tuple(found)
