"""Commands in line-based files: .pth files and container builds."""

from __future__ import annotations

import re

from remit.core.patterns import lazy_pattern
from remit.skill.config_commands import Held, loads
from remit.skill.config_words import argv


def pth(data: bytes) -> list[Held]:
    """Return commands of a .pth file: a line that begins with `import` runs at every start; the others are folders."""
    rows = data.decode("utf-8", "replace").splitlines()
    code = [(number, row) for number, row in enumerate(rows, 1) if row.startswith(("import ", "import\t"))]
    folders = [
        number for number, row in enumerate(rows, 1) if row.strip() and not row.startswith(("#", "import ", "import\t"))
    ]
    out = [Held(row, number, language="python") for number, row in code]
    if folders:
        out.append(
            Held(
                "",
                folders[0],
                language="configuration",
                opaque="a .pth file that adds folders to the path of every Python program",
            )
        )
    return out


_INSTRUCTION = lazy_pattern(r"^\s*(?:ONBUILD\s+)?(RUN|CMD|ENTRYPOINT|HEALTHCHECK)\s+(.*)$", re.IGNORECASE | re.DOTALL)

_HEREDOC = lazy_pattern(r"<<-?\s*[\"']?(\w+)[\"']?")


def dockerfile(data: bytes) -> list[Held]:
    """Return the commands of a container build, each a shell program unless it is a JSON list."""
    out: list[Held] = []
    rows = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    index = 0
    while index < len(rows):
        start, line = index, rows[index]
        while line.endswith("\\") and index + 1 < len(rows):
            index += 1
            line += "\n" + ("" if rows[index].lstrip().startswith("#") else rows[index])
            if rows[index].lstrip().startswith("#"):
                line = line.rstrip("\n") + "\n\\" if line.endswith("\n") else line
        found = _INSTRUCTION.match(line)
        if found:
            for heredoc in _HEREDOC.finditer(found[2]):
                while index + 1 < len(rows) and rows[index].strip() != heredoc[1]:
                    index += 1
                    line += "\n" + rows[index]
            found = _INSTRUCTION.match(line)
            assert found
            out.append(_docker_command(found[2], start + 1))
        index += 1
    return out


def _docker_command(text: str, line: int) -> Held:
    text = re.sub(r"^(?:--\w+(?:=\S+)?\s+)+", "", text.strip())
    text = re.sub(r"^CMD\s+", "", text)
    if text.startswith("["):
        try:
            return Held(argv(loads(text.encode())), line, asked=True)
        except (ValueError, TypeError):
            pass  # docker treats a malformed list as shell text
    heredoc = re.match(r"<<-?\s*[\"']?(\w+)[\"']?\n(.*)", text, re.DOTALL)
    if heredoc:
        body = heredoc[2].rsplit("\n", 1)[0]
        return Held(body, line + 1, lines=tuple(range(line + 1, line + 2 + body.count("\n"))), asked=True)
    return Held(text, line, lines=tuple(range(line, line + 1 + text.count("\n"))), asked=True)
