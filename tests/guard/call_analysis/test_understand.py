"""What is said of a call, and what it rests on."""

from __future__ import annotations

import itertools
import os
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from guard_scratch import build, run

from remit.core.scope import ANY_SCOPE, ROOT, PathScope
from remit.core.scope.component import escape
from remit.guard.call_analysis.commands import (
    Cache,
    CallPlace,
    analysis_session,
    still_same,
    understand,
    understand_code,
)

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.call_analysis.commands import Part, Understanding

SETTLED = 0.06  # seconds after which a change of a file shows in its times


@pytest.fixture
def place(tmp_path: Path) -> CallPlace:
    """A scratch folder."""
    return build(tmp_path.resolve())


def _scope(path: Path) -> PathScope:
    return PathScope(ROOT, tuple(escape(part) for part in str(path).split("/") if part))


def _part(found: Understanding, capability: str) -> Part:
    return next(part for part in found.parts if part.capability == capability)


def test_a_plain_command_has_its_words_and_no_doubt(place: CallPlace) -> None:
    found = understand("rm -f victim; ls sub", place)
    assert found.commands == (("rm", "-f", "victim"), ("ls", "sub"))
    assert not found.doubts
    part = _part(found, "file.delete")
    assert (part.scope, part.command, part.scripted, part.skill) == (
        _scope(place.cwd / "victim"), "rm -f victim", False, "",
    )  # fmt: skip


def test_an_unknown_program_is_named_in_the_doubt(place: CallPlace) -> None:
    found = understand("frobnicate now", place)
    assert "frobnicate" in found.doubts[0].reason
    assert found.doubts[0].why == "frobnicate now"


def test_a_script_is_named_with_its_line_and_its_skill(place: CallPlace) -> None:
    skill = place.home / "skills" / "tidy"
    (skill / "scripts").mkdir(parents=True)
    (skill / "scripts" / "gone.py").write_text("import os, sys\n\nos.remove(sys.argv[1])\n")
    found = understand(f"python3 {skill}/scripts/gone.py victim", place._replace(skills=(("tidy", skill),)))
    part = _part(found, "file.delete")
    assert part.scope == _scope(place.cwd / "victim")
    assert (part.scripted, part.skill) == (True, "tidy")
    assert part.why.startswith(f"{skill}/scripts/gone.py:3: ")
    assert part.command.startswith("python3 ")
    assert [seen.path for seen in found.seen] == [skill / "scripts" / "gone.py"]


def test_a_link_into_a_skill_is_that_skill(place: CallPlace) -> None:
    skill = place.home / "skills" / "tidy"
    skill.mkdir(parents=True)
    (skill / "x.sh").write_text("rm victim\n")
    (place.cwd / "short").symlink_to(skill)
    found = understand("bash short/x.sh", place._replace(skills=(("tidy", skill),)))
    assert _part(found, "file.delete").skill == "tidy"


def test_variables_of_the_host_are_not_known(place: CallPlace) -> None:
    found = understand('rm -- "$TARGET"', place)
    assert _part(found, "file.delete").scope == ANY_SCOPE
    assert _part(understand('TARGET=victim; rm "$TARGET"', place), "file.delete").scope == _scope(place.cwd / "victim")


def test_what_changed_between_check_and_run_is_found(place: CallPlace) -> None:
    found = understand("python3 imports.py victim", place)
    assert {seen.path.name for seen in found.seen} == {"imports.py", "helper.py"}
    assert still_same(found) is None
    (place.cwd / "helper.py").write_text("import os\n")
    changed = still_same(found)
    assert changed is not None
    assert changed.path.name == "helper.py"


def test_a_file_that_became_a_link_is_another(place: CallPlace) -> None:
    found = understand("bash rm.sh victim", place)
    other = place.tmp / "same.sh"
    other.write_bytes((place.cwd / "rm.sh").read_bytes())
    (place.cwd / "rm.sh").unlink()
    (place.cwd / "rm.sh").symlink_to(other)
    assert still_same(found) is not None


def test_an_answer_is_remembered_until_something_changes(place: CallPlace) -> None:
    cache = Cache(2)
    time.sleep(SETTLED)
    first = understand("cat *.txt", place, cache=cache)
    assert understand("cat *.txt", place, cache=cache) is first
    (place.cwd / "d.txt").write_text("d")
    second = understand("cat *.txt", place, cache=cache)
    assert ("cat", "a.txt", "b.txt", "d.txt", "sp ace.txt") in second.commands
    time.sleep(SETTLED)
    script = understand("bash rm.sh victim", place, cache=cache)
    (place.cwd / "rm.sh").write_text("touch made\n")
    assert understand("bash rm.sh victim", place, cache=cache) != script
    time.sleep(SETTLED)
    for command in ("ls", "cat *.txt", "bash rm.sh victim"):
        understand(command, place, cache=cache)
    assert len(cache) == 2


def test_a_link_that_is_put_in_between_is_seen_by_the_cache(place: CallPlace) -> None:
    cache = Cache()
    before = understand("cat sub/c.txt", place, cache=cache)
    (place.cwd / "sub" / "c.txt").unlink()
    (place.cwd / "sub" / "c.txt").symlink_to(place.home / ".ssh" / "id_rsa")
    after = understand("cat sub/c.txt", place, cache=cache)
    assert before != after
    assert _part(after, "secret.read").scope == _scope(place.home / ".ssh" / "id_rsa")


def test_what_had_only_just_changed_is_not_remembered(place: CallPlace) -> None:
    cache = Cache()
    time.sleep(SETTLED)
    (place.cwd / "a.txt").write_text("new")
    understand("cat a.txt", place, cache=cache)
    assert len(cache) == 0


def test_a_folder_whose_time_is_set_back_is_another(place: CallPlace) -> None:
    cache = Cache()
    time.sleep(SETTLED)
    understand("cat *.txt", place, cache=cache)
    before = place.cwd.stat()
    (place.cwd / "d.txt").write_text("d")
    os.utime(place.cwd, ns=(before.st_atime_ns, before.st_mtime_ns))
    found = understand("cat *.txt", place, cache=cache)
    assert ("cat", "a.txt", "b.txt", "d.txt", "sp ace.txt") in found.commands


def test_what_lies_below_a_folder_that_is_not_there_is_noticed_when_it_is_made(place: CallPlace) -> None:
    cache = Cache()
    time.sleep(SETTLED)
    before = understand("python3 imports.py victim", place, cache=cache, seconds=60)
    assert understand("python3 imports.py victim", place, cache=cache, seconds=60) is before
    (place.cwd / "os").mkdir()
    (place.cwd / "os" / "__init__.py").write_text("import subprocess\n")
    assert understand("python3 imports.py victim", place, cache=cache, seconds=60) is not before


def test_a_remembered_answer_notices_a_file_with_the_same_times(place: CallPlace) -> None:
    cache = Cache()
    time.sleep(SETTLED)
    found = understand("bash rm.sh victim", place, cache=cache)
    assert found.seen[0].state is not None
    assert still_same(found) is None
    path = place.cwd / "rm.sh"
    before = path.stat()
    path.write_bytes(b":".ljust(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert still_same(found) is not None


def test_a_file_that_was_only_touched_is_the_same(place: CallPlace) -> None:
    cache = Cache()
    time.sleep(SETTLED)
    found = understand("bash rm.sh victim", place, cache=cache)
    (place.cwd / "rm.sh").touch()
    assert still_same(found) is None


def test_a_spent_budget_is_a_doubt(place: CallPlace) -> None:
    found = understand("rm victim", place, seconds=-1)
    assert "too long" in found.doubts[0].reason


def test_the_deadline_holds(place: CallPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is a second later than the one before."""
    clock = itertools.count()
    monkeypatch.setattr(analysis_session, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    names = [f"f{number}" for number in range(60)]
    lines = ["import os, sys"]
    for number, name in enumerate(names):
        lines += [f"def {name}(x, y):"] + [f"    {other}(y, x + str({number}))" for other in names]
    (place.cwd / "big.py").write_text("\n".join([*lines, "f0(sys.argv[1], 'b')", ""]))
    found = understand("python3 big.py a", place, seconds=10)
    assert "too long" in found.doubts[0].reason
    assert next(clock) < 20


def test_a_file_that_is_too_large_is_a_doubt(place: CallPlace) -> None:
    (place.cwd / "large.sh").write_text("# x\n" * 400_000)
    assert understand("bash large.sh", place).doubts


def test_pipes_and_devices_are_not_opened(place: CallPlace) -> None:
    os.mkfifo(place.cwd / "pipe.sh")
    assert understand("bash pipe.sh", place).doubts


def test_code_without_a_shell(place: CallPlace) -> None:
    found = understand_code("python", "import os\nos.remove('victim')\nos.system('ls')", place)
    assert _part(found, "file.delete").scope == _scope(place.cwd / "victim")
    assert not found.doubts
    assert understand_code("javascript", "require('fs').unlinkSync('victim')", place).parts[0].scope == _scope(
        place.cwd / "victim"
    )
    assert understand_code("cobol", "DISPLAY 'X'.", place).doubts
    assert understand_code("python", "import helper\nhelper.gone('victim')", place).parts[0].scripted


def test_hooks_and_settings_of_a_repository_are_programs(place: CallPlace) -> None:
    run("git init -q . && git config user.name x", place)
    assert not understand("git commit -m x", place).doubts
    hook = place.cwd / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nrm victim\n")
    hook.chmod(0o755)
    assert _part(understand("git commit -m x", place), "file.delete").scripted
    assert not understand("git log", place).doubts
    (place.cwd / ".git" / "config").write_text("[core]\n\tfsmonitor = ./x\n")
    assert understand("git status", place).doubts


def test_bundled_packages_are_not_the_public_ones(place: CallPlace) -> None:
    skill = place.home / "skills" / "web"
    (skill / "node_modules" / "axios").mkdir(parents=True)
    (skill / "go.js").write_text("const axios = require('axios')\naxios.get('https://example.com')\n")
    assert understand(f"node {skill}/go.js", place._replace(skills=(("web", skill),))).doubts


def test_scripts_find_modules_where_they_look_for_them(place: CallPlace) -> None:
    (place.cwd / "lib").mkdir()
    (place.cwd / "lib" / "deep.py").write_text("import os\nos.remove('victim')\n")
    (place.cwd / "more.py").write_text(
        "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'lib'))\nimport deep\n"
    )
    assert _part(understand("python3 more.py", place), "file.delete").scope == _scope(place.cwd / "victim")
    (place.cwd / "lib" / "os.py").write_text("")
    assert understand("python3 more.py", place).doubts


def test_makefiles_and_package_scripts(place: CallPlace) -> None:
    (place.cwd / "package.json").write_text('{"scripts": {"gone": "rm victim"}}')
    assert _part(understand("npm run gone", place), "file.delete").scope == _scope(place.cwd / "victim")
    (place.cwd / "Makefile").write_text("gone:\n\tcd sub\n\trm victim\n")
    scopes = {part.scope for part in understand("make gone", place).parts if part.capability == "file.delete"}
    assert _scope(place.cwd / "victim") in scopes


def test_places_that_variables_move(place: CallPlace) -> None:
    found = understand("TMPDIR=/elsewhere mktemp", place)
    assert "/elsewhere/*" in {part.scope.render() for part in found.parts}


def test_nothing_is_never_said_of_nonsense(place: CallPlace) -> None:
    for text in ("$(", "'", "if", "<<", "${", "a=(", "\x00", "x" * 200_000, "((", "`"):
        assert understand(text, place).doubts, text[:20]


def test_a_module_that_is_named_from_the_root_looks_for_its_packages_and_comes_to_an_end(place: CallPlace) -> None:
    (place.cwd / "lib.js").write_text("const x = require('nowhere-at-all');\n")
    (place.cwd / "main.js").write_text("const path = require('path');\nrequire(path.resolve('lib.js'));\n")
    found = understand("node main.js", place)
    assert any("nowhere-at-all" in doubt.reason for doubt in found.doubts)


def test_nothing_rests_on_what_the_kernel_makes_up_anew(place: CallPlace) -> None:
    found = understand("cat /proc/uptime", place)
    assert not found.seen
    assert _part(found, "file.read").scope.render() == "/proc/uptime"


def test_the_same_question_has_the_same_answer(place: CallPlace) -> None:
    """What a person agreed to has to be what is asked again: the order of evaluation is not that of addresses in memory."""
    script = """
        const fs = require('fs'), path = require('path');
        function all(dir, found = []) {
          fs.readdirSync(dir).forEach((file) => {
            const name = path.join(dir, file);
            if (fs.statSync(name).isDirectory()) all(name, found); else found.push(name);
          });
          return found;
        }
        for (const file of all(process.argv[2])) fs.readFileSync(file, 'utf8');
    """
    (place.cwd / "walk.js").write_text(script)
    kept: list[object] = []
    answers = set()
    for number in range(6):
        kept.append([object() for _ in range(37 * number)])  # other addresses
        found = understand("node walk.js sub", place, seconds=20.0)
        answers.add((found.parts, found.doubts))
    assert len(answers) == 1
