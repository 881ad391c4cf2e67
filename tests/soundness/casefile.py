"""Reads `.cases` files: many small skills in one file.

    === id
    want: file.delete | file.write     one line an effect: one of these capabilities is reported
    exact: file.read, file.write       instead of `want`: exactly these, nothing opaque, and no scope `any`
    extra: env.read                    with `exact`: may be reported besides
    any: file.read                     with `exact`: has the scope `any`, and the program says no more
    wide: file.read                    with `exact`: has the scope `any`, though the program says more
    opaque: ok                         the place may be called opaque instead (default: no)
    run: no, WHY                       the script is not run to see its effect (default: `run:` with its arguments)
    --- path                           a file of the skill; without a path `scripts/main.py`

`\\xNN` is read in the text of a file whose path is followed by ` (escaped)`; ` (body)` puts the front matter of a skill before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
SKILL_MD = "---\nname: {id}\ndescription: A small helper for files. Use when files need a helper.\n---\n\n# Helper\n\nA text.\n"


@dataclass
class Case:
    id: str
    place: str
    wants: list[list[str]] = field(default_factory=list)
    exact: list[str] | None = None
    extra: list[str] = field(default_factory=list)
    any_scope: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    opaque_ok: bool = False
    run: str | None = ""
    files: dict[str, bytes] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        root = folder / self.id
        for path, data in ({"SKILL.md": SKILL_MD.format(id=self.id).encode()} | self.files).items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return root


def read_cases(folder: str) -> list[Case]:
    out = [case for path in sorted((HERE / folder).glob("*.cases")) for case in _read(path)]
    ids = [case.id for case in out]
    assert len(ids) == len(set(ids)), sorted(name for name in set(ids) if ids.count(name) > 1)
    return out


def _read(path: Path) -> list[Case]:
    out: list[Case] = []
    for chunk in path.read_text(encoding="utf-8").split("\n=== ")[1:]:
        head, *files = ("\n" + chunk).split("\n---")
        name, *lines = head.strip().splitlines()
        case = Case(name, f"{path.name}:{name}")
        for line in lines:
            _header(case, line, path)
        for text in files:
            _file(case, text)
        assert case.files, case.place
        assert case.wants or case.exact is not None, case.place
        out.append(case)
    return out


def _header(case: Case, line: str, path: Path) -> None:
    key, _, value = (part.strip() for part in line.partition(":"))
    if key == "want":
        case.wants.append([word.strip() for word in value.split("|")])
    elif key == "exact":
        case.exact = [word.strip() for word in value.split(",") if word.strip()]
    elif key == "extra":
        case.extra = [word.strip() for word in value.split(",")]
    elif key == "any":
        case.any_scope = [word.strip() for word in value.split(",")]
    elif key == "wide":
        case.wide = [word.strip() for word in value.split(",")]
    elif key == "opaque" and value == "ok":
        case.opaque_ok = True
    elif key == "run":
        case.run = None if value.startswith("no,") else value
    else:
        raise AssertionError(f"{path.name}: {case.id}: {line}")


def _file(case: Case, text: str) -> None:
    name, _, body = text.partition("\n")
    name = name.strip() or "scripts/main.py"
    data = (body.rstrip("\n") + "\n").encode()
    if name.endswith("(escaped)"):
        name = name.removesuffix("(escaped)").strip()
        data = data.decode("unicode_escape").encode("latin-1")
    if name.endswith("(body)"):
        name = name.removesuffix("(body)").strip()
        data = SKILL_MD.format(id=case.id).partition("# Helper")[0].encode() + data
    case.files[name] = data
