"""`remit test --generate`: generates tests from the skill itself, for its author to keep.

Each script is run on sample inputs in the sandbox. Of the tried runs, those are kept that succeed or exercise something
new, with what they change and print, if a second run does the same. What the manifest grants and no script does is for
the agent: an act in its place exercises it. What a script does and no sample reaches is left to the author, and
reported.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.admission_state import FailedStep
from remit.bundle.folder import analyse, look
from remit.capsule.cases import FILE, By, Case, Prints, write_cases
from remit.capsule.confinement import HOME as HOME_FOLDER
from remit.capsule.confinement import SKILL as SKILL_FOLDER
from remit.capsule.confinement import TEMP as TEMP_FOLDER
from remit.capsule.confinement import Limits
from remit.capsule.run import Ending
from remit.capsule.samples import sample
from remit.capsule.skill_tests import Command, Subject, run_command
from remit.capsule.trace import ActKind
from remit.capsule.verdict import Source, Unit, changes, judge, passed, units, why_unseen
from remit.cli.atomic_write import save
from remit.cli.sample_commands import Sampled, sample_commands
from remit.core.capability import vocabulary
from remit.core.effect import Effect, Origin
from remit.core.errors import InputError
from remit.core.scope import HOME, SKILL, TEMP, WORKSPACE, HostScope, NameScope, PathScope, Scope
from remit.core.scope.component import literal
from remit.policy.command_permits import permit_for
from remit.policy.entry_matches import grants
from remit.proof.witness import instances
from remit.skill.load import load_skill
from remit.skill.program import programs

if TYPE_CHECKING:
    from pathlib import Path

    from remit.capsule.observe import Observation
    from remit.capsule.run import Observed
    from remit.checker.run import Options
    from remit.manifest.model import Permission

_ENOUGH = 200  # runs of one skill
_RUN_CODE = ("python", "node", "bash", "sh", "dash", "env")
_FROM_CLOCK = re.compile(r"\d{4}")  # a year, or seconds
_WRITE = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); p.parent.mkdir(parents=True, exist_ok=True); p.write_text('sample')"
_READ = "import pathlib, sys; pathlib.Path(sys.argv[1]).read_bytes()"
_DELETE = "import pathlib, sys; pathlib.Path(sys.argv[1]).unlink()"
_CHMOD = "import pathlib, sys; pathlib.Path(sys.argv[1]).chmod(0o600)"
_CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)"
_LISTEN = "import socket, sys; socket.create_server(('127.0.0.1', int(sys.argv[2])))"
_ON_FILES = {"file.read": _READ, "source.read": _READ, "file.write": _WRITE, "source.write": _WRITE, "file.delete": _DELETE,
             "source.delete": _DELETE, "file.chmod": _CHMOD, "secret.read": _READ, "secret.write": _WRITE,
             "secret.delete": _DELETE, "commit.read": _READ, "commit.create": _WRITE}  # fmt: skip
_ON_HOSTS = dict.fromkeys(("net.connect", "web.fetch", "web.post", "web.interact", "api.call"), _CONNECT)
_ON_HOSTS["net.listen"] = _LISTEN
_ON_PROGRAMS = frozenset({"process.create", "shell.execute", "repl.create", "repl.execute"})
_FOLDERS = {WORKSPACE: ".", SKILL: SKILL_FOLDER, HOME: HOME_FOLDER, TEMP: TEMP_FOLDER}


class Generated(NamedTuple):
    """Test cases for a skill, and what no case reaches: capability, scope, and the location in the code."""

    cases: tuple[Case, ...]
    unreached: tuple[tuple[str, str, str], ...]


class _Trial(NamedTuple):
    case: Case
    found: Observed
    seen: tuple[Observation, ...]

    @property
    def kept(self) -> Case:
        """Return the case as it ended."""
        return self.case._replace(status=self.found.code or 0)

    @property
    def whole(self) -> bool:
        """Whether it ended by itself and was observed completely."""
        return self.found.how is Ending.EXITED and self.found.complete and (self.found.code or 0) >= 0


class Generator:
    """Generates cases for one skill."""

    def __init__(self, subject: Subject, effects: Sequence[Effect], scratch: Path, limits: Limits) -> None:
        self._subject = subject
        self._effects = effects
        self._scratch = scratch
        self._limits = limits
        self._runs = 0

    def generate(self, scripts: Sequence[Sampled], done: Callable[[str], None]) -> Generated:
        """Generate cases for the scripts, and for what the agent may do."""
        kept: list[_Trial] = []
        for script in scripts:
            kept += self._of_script(script, kept)
            done(script.file)
        left = self._left(kept)
        unreached = []
        for unit, entry in left:
            if place := self._in_code(unit, entry):
                unreached.append((unit.capability, unit.scope.render(), place))
                continue
            if trial := self._act(unit):
                kept.append(trial)
        reached = self._reached(kept)  # an act for one unit may exercise another
        left_over = tuple(found for found in unreached if found[:2] not in reached)
        return Generated(tuple(map(self._told, kept)), left_over)

    def _told(self, trial: _Trial) -> Case:
        """Return the case with what it changes and prints, unless that differs between runs or may depend on the clock."""
        case = trial.kept
        again = self._try(trial.case) if case.by is By.SKILL else None
        if not again or not again.whole or again.kept != case:
            return case
        done, kinds = (
            (changes(trial.seen), changes(again.seen)),
            {Prints.of(one.found.output) for one in (trial, again)},
        )
        if done[0] == done[1] and not any(map(_FROM_CLOCK.search, done[0])):
            case = case._replace(effects=done[0])
        return case._replace(prints=kinds.pop()) if len(kinds) == 1 else case

    def _of_script(self, script: Sampled, before: Sequence[_Trial]) -> list[_Trial]:
        """Return the first run that succeeds, and every run that exercises something new."""
        trials = [trial for case in script.cases if (trial := self._try(case)) and trial.whole]
        # no host is reachable here: what the script does after its programs reached one is seen with stubs for them
        answered = [trial.case._replace(stand_ins=names) for trial in trials if (names := _reaching(trial))]
        trials += [trial for case in answered if (trial := self._try(case)) and trial.whole]
        trials.sort(key=lambda trial: trial.found.code != 0)  # stable sort: the likeliest first
        kept: list[_Trial] = []
        reached = self._reached(before)
        for trial in trials:
            own = self._reached([trial])
            if not kept or own - reached:
                kept.append(trial)
                reached |= own
        return kept

    def _try(self, case: Case) -> _Trial | None:
        if self._runs >= _ENOUGH:
            return None
        self._runs += 1
        command = Command(case, Source.CASE, permit_for(self._subject.name, case.words))
        found, seen = run_command(self._subject, command, self._scratch / f"try-{self._runs}", self._limits)
        return _Trial(case, found, seen)

    def _reached(self, trials: Sequence[_Trial]) -> set[tuple[str, str]]:
        seen = tuple(dict.fromkeys(item for trial in trials for item in trial.seen))
        return {(unit.capability, unit.scope.render()) for unit in judge(seen, self._subject.manifest).exercised}

    def _left(self, trials: Sequence[_Trial]) -> list[tuple[Unit, Permission]]:
        reached = self._reached(trials)
        return [
            (unit, entry)
            for unit, entry in units(self._subject.manifest)
            if (unit.capability, unit.scope.render()) not in reached and not why_unseen(unit.capability, unit.scope)
        ]

    def _in_code(self, unit: Unit, entry: Permission) -> str:
        """Return where only the skill's own code does this; empty if the agent does it too, or no location is known."""
        own = entry._replace(capability=unit.capability, scopes=(unit.scope,))
        does = [effect for effect in self._effects if grants(own, effect)]
        if not does or any(effect.origin is Origin.INSTRUCTED for effect in does):
            return ""
        return str(does[0].where)

    def _act(self, unit: Unit) -> _Trial | None:
        """Return the first act in the agent's place that exercises the unit."""
        for case in _acts(unit):
            trial = self._try(case)
            if not trial or not trial.whole:
                continue
            judged = judge(trial.seen, self._subject.manifest)
            if not judged.outside and any(one[1:] == unit[1:] for one in judged.exercised):
                return trial
        return None


def _reaching(trial: _Trial) -> tuple[str, ...]:
    """Return programs that tried to reach a host, except those that run code of the skill."""
    acts = [act for act in trial.found.acts if act.kind in (ActKind.CONNECT, ActKind.LOOKUP)]
    names = {posixpath.basename(act.by) for act in acts}
    return tuple(sorted(name for name in names if name and not name.startswith(_RUN_CODE)))


def _acts(unit: Unit) -> Iterator[Case]:
    """Return acts that an agent could do with a unit, the simplest first."""
    kind = vocabulary()[unit.capability].scope_kind
    found = [one for scope in passed(unit.scope) for one in instances(scope, kind)]
    for one in found[:6]:
        if unit.capability == "source.execute" and isinstance(one, PathScope):
            yield from _runs(one)
        elif unit.capability in _ON_FILES:
            yield from _on_file(unit.capability, one)
        elif unit.capability in _ON_HOSTS and isinstance(one, HostScope):
            words = ("python3", "-c", _ON_HOSTS[unit.capability], one.host, str(one.port))
            yield Case(words, by=By.AGENT)
        elif unit.capability in _ON_PROGRAMS and isinstance(one, NameScope) and (name := literal(one.pattern)):
            yield Case(("env", name if name != "unforeseen" else "true"), by=By.AGENT)
        elif unit.capability in _ON_PROGRAMS and (path := _path(one)):
            yield Case(("env", path), by=By.AGENT)


def _on_file(capability: str, scope: Scope) -> Iterator[Case]:
    path = _path(scope)
    if not path:
        return
    if capability.startswith("commit."):
        path = f"{path}/.git/sample"
    inside = path.removeprefix("./") if path.startswith("./") else path.removeprefix(f"{SKILL_FOLDER}/")
    given = not inside.startswith("/") and not capability.endswith(("write", "create"))
    files = ((inside, sample(inside)),) if given else ()
    yield Case(("python3", "-c", _ON_FILES[capability], path), by=By.AGENT, files=files)
    if inside.startswith("/") and not capability.endswith(("write", "create")):  # no file can be put there
        yield Case(("python3", "-c", f"{_WRITE}; {_ON_FILES[capability].partition('; ')[2]}", path), by=By.AGENT)


def _runs(scope: PathScope) -> Iterator[Case]:
    path = _path(scope).removeprefix("./")
    if not path or path.startswith("/"):
        return
    runner = {"py": "python3", "js": "node"}.get(path.rpartition(".")[2], "bash")
    yield Case((runner, path), by=By.AGENT)
    name = path if path.endswith(".sh") else f"{path}.sh"
    yield Case(("bash", name), by=By.AGENT, files=((name, sample(name)),))


def _path(scope: Scope) -> str:
    """Return a path in the sandbox; empty if the scope is none."""
    if not isinstance(scope, PathScope) or scope.anchor not in _FOLDERS:
        return ""
    words = [literal(part) for part in scope.parts]
    return "/".join([_FOLDERS[scope.anchor], *(word for word in words if word)]) if all(words) else ""


def generate(
    folder: Path, subject: Subject, options: Options, scratch: Path, limits: Limits, done: Callable[[str], None]
) -> Generated:
    """Write test cases into a skill. InputError if it has some already."""
    if FILE in subject.paths:
        raise InputError(f"`{folder / FILE}` exists already", "remove it to write it again")
    found = analyse(look(str(folder), options.limits), options)
    if isinstance(found, FailedStep):
        raise InputError(f"`{folder}`: {found.why}", "tests are generated from what the analysis finds")
    skill = load_skill(folder, shipped=True)
    scripts = sample_commands(skill, programs(skill), found.effects.effects)
    made = Generator(subject, found.effects.effects, scratch, limits).generate(scripts, done)
    if not made.cases:
        made = made._replace(cases=(Case(("true",), by=By.AGENT),))  # nothing to run: the skill is only text
    place = folder / FILE
    place.parent.mkdir(exist_ok=True)
    save(place, write_cases(made.cases))
    return made
