"""Files whose names say what reading or writing them means."""

import pytest
from draft_values import drafted, granted, small

from each_row import each_row
from remit.core.effect import Effect
from remit.core.errors import DataError
from remit.core.location import Location
from remit.core.scope import ScopeKind, parse_scope
from remit.core.via import recorded
from remit.manifest.draft.effect_clues import meanings_of, read_file_meanings


def meant(capability: str, scope: str) -> set[str]:
    return set(meanings_of(Effect(capability, parse_scope(ScopeKind.PATH, scope), Location("x", 1), recorded(""))))


@each_row(
    ("capability", "scope", "expected"),
    [
        ("file.read", "~/.app/auth-profiles.json", {"secret.read"}),
        ("file.read", "~/.config/x/token.json", {"secret.read"}),
        ("file.write", "~/.config/x/credentials", {"secret.write"}),
        ("file.write", "/proc/sys/vm/drop_caches", {"system.configure"}),
        ("file.write", "$SKILL/SKILL.md", {"skill.install"}),
        ("file.read", "$SKILL/SKILL.md", set()),
        ("file.read", "/proc/sys/vm/drop_caches", set()),
        ("file.read", "./authors.json", set()),
        ("file.read", "./tokenizer.json", set()),
        ("file.write", "./report.md", set()),
        ("file.delete", "~/.config/x/token.json", set()),
    ],
)
def test_meaning(capability, scope, expected):
    assert meant(capability, scope) == expected


def test_it_is_drafted(tmp_path):
    body = "```bash\nsync; echo 3 > /proc/sys/vm/drop_caches\n```\n"
    assert "system.configure" in granted(drafted(small(tmp_path, body)))


@each_row("text", ["x", "x | pay", "( | - | pay", "x | - | x.y"])
def test_a_row_that_cannot_be_read_is_refused(text):
    with pytest.raises(DataError, match=r"file_meanings\.table:1"):
        read_file_meanings(text)
