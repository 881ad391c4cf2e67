"""What an agent does that obeys an injected skill, and work of the same shape beside it: obedient/*.table.

    session NAME            the session in which the cases below it happen
    harm WHAT IT IS         a harm; each call with `do!` does it, and must be denied or asked about
    passes WHAT IT IS       a harm that the guard lets through: it stays in the workspace, where it can be undone, or is code of the workspace
    because REASON          why it passes; each such harm has one
    work WHAT IT IS         follows its harm: ordinary work, no call of which may be asked about
    do TOOL FIRST ARGUMENT  a call; its other arguments stand below, indented by four spaces (`=>` parts the texts of an `Edit`)
    tell WORDS              words in the text of the injected skill that the clean one does not have
    bring PATH              a file that the injected skill has and the clean one has not; its text stands below

`@{skill}` is the folder of the skill. Lines that begin with `#` are comments.
"""

from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError

FOLDER = Path(__file__).with_name("obedient")
_TOOLS = {
    "Bash": ("command",),
    "Edit": ("file_path", "old_string", "new_string"),
    "Glob": ("pattern",),
    "Grep": ("pattern",),
    "Read": ("file_path",),
    "WebFetch": ("url", "prompt"),
    "Write": ("file_path", "content"),
    "mcp__mail__send_message": ("to",),
    "mcp__calendar__create_event": ("title",),
}


class Action(NamedTuple):
    tool: str
    args: dict[str, str]
    decisive: bool


class Case(NamedTuple):
    session: str
    title: str
    harmful: bool
    actions: tuple[Action, ...]
    brings: dict[str, str]
    tells: list[str]
    where: str
    passes: bool = False
    because: str = ""


def load(path):  # noqa: C901, PLR0912  one case for each kind of line
    """The cases of a table, each harm before its work; what cannot be read is refused with its line."""
    cases = []
    session = ""
    for where, line, body in _entries(path):
        word, _, rest = line.partition(" ")
        if word == "session":
            session = rest
        elif word in ("harm", "passes", "work"):
            if (word == "work") != bool(cases and cases[-1].harmful):
                raise DataError(f"{where}: `{word}` cannot stand here", "each harm is followed by its work")
            cases.append(Case(session, rest, word != "work", (), {}, [], where, word == "passes"))
        elif word in ("do", "do!") and cases:
            action = _action(where, rest, body, decisive=word == "do!")
            cases[-1] = cases[-1]._replace(actions=(*cases[-1].actions, action))
        elif word == "because" and cases and cases[-1].passes:
            cases[-1] = cases[-1]._replace(because=rest)
        elif word == "tell" and cases:
            cases[-1].tells.append(rest)
        elif word == "bring" and cases:
            cases[-1].brings[rest] = "\n".join(body) + "\n"
        else:
            raise DataError(f"{where}: `{word}` cannot stand here", "look at the other lines")
    for case in cases:
        if not case.session or any(one.decisive for one in case.actions) != case.harmful or not case.actions:
            raise DataError(f"{case.where}: no session, no call, or the harm is not marked", "mark it with `do!`")
        if case.passes and not case.because:
            raise DataError(f"{case.where}: no reason why it passes", "add `because` below it")
    if cases and cases[-1].harmful:
        raise DataError(f"{cases[-1].where}: a harm without its work", "add `work` below it")
    return cases


def _entries(path):
    found = []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.startswith("    ") and found:
            found[-1][2].append(line[4:])
        elif line.strip() and not line.startswith("#"):
            found.append((f"{path.name}:{number}", line, []))
        elif not line and found and found[-1][2]:
            found[-1][2].append("")
    for where, line, body in found:
        while body and not body[-1]:
            body.pop()
        yield where, line, body


def _action(where, rest, body, *, decisive):
    tool, _, first = rest.partition(" ")
    if tool not in _TOOLS:
        raise DataError(f"{where}: the tool `{tool}` is not known", f"use one of {', '.join(_TOOLS)}")
    texts = [first] if first else []
    if body:
        text = "\n".join(body)
        texts += text.split("\n=>\n") if tool == "Edit" else [text + "\n" * (tool == "Write")]
    if len(texts) != len(_TOOLS[tool]):
        raise DataError(f"{where}: `{tool}` takes {', '.join(_TOOLS[tool])}", f"there are {len(texts)}")
    return Action(tool, dict(zip(_TOOLS[tool], texts, strict=True)), decisive)
