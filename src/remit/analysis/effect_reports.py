"""What is found of a skill: effects with their scopes, opaque places and assumptions, and the result that is made of them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from itertools import islice, product
from math import prod
from operator import itemgetter

from remit.analysis.configurations import ToolCall, ToolCalls
from remit.analysis.domain import ANCHORS, ANY, Atom, Hole, Text, Value, concat, of_caller
from remit.analysis.engine.texts import texts_of
from remit.analysis.file_runs import FileRun, FileRuns, Write
from remit.analysis.flows import Key
from remit.analysis.instructions import hosted_name
from remit.analysis.links import Links
from remit.analysis.own_writes import REMEDY, OwnWrites
from remit.analysis.result import Effects
from remit.analysis.scopes import file_url_paths, leads_by_caller, port_is_given, reported_scopes, scopes_of
from remit.analysis.world import HERE, Child, Site, World
from remit.core.assumption import assumptions
from remit.core.capability import FILE_READS, vocabulary
from remit.core.effect import Assumed, Command, Effect, Opaque, Origin, Unread
from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import PathScope, Scope, ScopeKind, overlaps
from remit.core.sensitive import credential_in, sensitive
from remit.core.via import Cause, Via
from remit.skill.githistory import names_data
from remit.skill.model import Skill, Stance

# The commands that documents tell the agent to run and those that scripts start, as far as their words are known.

_LONGEST = 200  # characters of a command line of a document that are kept
_LONGEST_STARTED = 1000  # likewise of a script: it may give an option a text
_WAYS = 32  # commands that words with several values may be
_OPEN = "…"  # words that are not known, or were cut


class CommandLines:
    """Collects them; a command that stands in several places of documents is kept with the first."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], Command] = {}
        self._started: set[Command] = set()
        self._added: set[tuple[object, ...]] = set()  # loops and functions run the same command many times

    def add(self, words: tuple[Value, ...], rest: Value, cwd: Value, site: Site) -> None:
        """A command line whose first word is the program: in a document, or started by a script."""
        key = words, rest, cwd, site.where, site.origin, site.hosted
        if key in self._added:
            return
        self._added.add(key)
        programs = [scope.render() for scope in scopes_of("shell.execute", words[0], cwd)]
        if site.hosted:
            line = _joined([_word(word) for word in words], rest, _LONGEST)
            for program in programs:
                self._told.setdefault((program, line), Command(program, line, site.where, site.origin))
            return
        for line in _ways(words, rest):
            self._started.update(Command(program, line, site.where, site.origin) for program in programs)

    def of_documents(self) -> tuple[Command, ...]:
        """Those of documents, in the order of their places."""
        return tuple(sorted(self._told.values(), key=_order))

    def of_scripts(self) -> tuple[Command, ...]:
        """Those of scripts."""
        return tuple(sorted(self._started, key=_order))


def _order(command: Command) -> tuple[object, ...]:
    return command.where, command.program, command.text, command.origin


def _ways(words: tuple[Value, ...], rest: Value) -> set[str]:
    """The command lines that words may make, one for each choice where there are few."""
    choices = [[frozenset({atom}) for atom in word] or [word] for word in words]
    if prod(map(len, choices)) > _WAYS:
        choices = [[word] for word in words]
    ways = islice(product(*choices), _WAYS)
    return {_joined([_word(word) for word in way], rest, _LONGEST_STARTED) for way in ways}


def _joined(words: list[str], rest: Value, longest: int) -> str:
    line = " ".join(words + [_begin(rest) + _OPEN] * bool(rest))
    return line if len(line) <= longest else line[: longest - 1] + _OPEN


def _begin(rest: Value) -> str:
    """The longest known beginning among words of unknown number: the first of them, if an expansion is split."""
    begins = (item.parts[0] for item in rest if isinstance(item, Text) and item.parts)
    return max((begin for begin in begins if isinstance(begin, str)), key=lambda one: (len(one), one), default="")


def _word(value: Value) -> str:
    """A word as a shell would read it; what fills a hole stands in pointed brackets."""
    if len(value) != 1:
        return _OPEN
    (item,) = value
    if not isinstance(item, Text):
        return _OPEN
    if item.literal is not None:
        return shlex.quote(item.literal)
    shown = "".join(part if isinstance(part, str) else _hole(part) for part in item.parts)
    return f'"{shown}"' if any(char.isspace() for char in shown) else shown


def _hole(part: Hole) -> str:
    if part.origin.startswith("env:"):
        return "$" + part.origin.removeprefix("env:")
    if part.origin in ANCHORS:
        return {"cwd": ".", "home": "~"}.get(part.origin, f"${part.origin.upper()}")
    return f"<{part.origin}>"


# Libraries that refuse a URL whose scheme is not that of HTTP. Others, as urllib and curl, open `file:` URLs as well.
_HTTP_ONLY = ("requests.", "httpx.", "aiohttp.", "urllib3.", "http.client.")


class Reports:
    """What the front ends report.

    `name_of` gives an effect at a site its name (empty: it is none there); `added` is told of each effect.
    """

    def __init__(
        self,
        skill: Skill,
        world: World,
        name_of: Callable[[str, Value, Site], str] = hosted_name,
        added: Callable[[str, Scope, Site], None] | None = None,
    ) -> None:
        self._skill = skill
        self._world = world
        self._name_of = name_of
        self._added = added
        self._effects: dict[Key, Effect] = {}
        self._read_at: dict[Location, list[Scope]] = {}
        self._opaque: dict[tuple[str, Location], Opaque] = {}
        self._assumptions: dict[str, set[Assumed]] = {}  # with locations, if whoever wrote the skill can make it untrue
        self._seen: dict[tuple[object, ...], list[Key]] = {}
        self._addresses: list[tuple[str, Text, Site, Via, Value]] = []  # given where paths are taken
        self.reading = 0  # commands whose words are being read just now
        self.links = Links()
        self.file_runs = FileRuns()
        self.tools = ToolCalls()
        self.own_writes = OwnWrites(skill)
        self.commands = CommandLines()
        self._settings: dict[Location, Site] = {}
        self.unread: list[Unread] = []
        self.uses: set[tuple[Location, str]] = set()  # where a file of the skill is run

    def effect(  # noqa: C901, PLR0912  one case for each kind of effect
        self, capability: str, scope: Value, site: Site, via: Via, *, cwd: Value = HERE, port: Value | None = None
    ) -> None:
        """Report an effect with each of its scopes, and what a sensitive place makes of it."""
        capability = self._name_of(capability, scope, site)
        if not capability:
            return
        if capability == "file.write":  # two programs of one line may write the same file
            self.file_runs.writes(_without_streams(scope), cwd, site, via)
            for hook in texts_of(scope):
                if ".git/hooks/" in "".join(part for part in hook.parts if isinstance(part, str)):  # git runs it
                    self.file_runs.add(FileRun("", hook, cwd, site, (), Child((), cwd=cwd), command=self.reading > 0))
        key = ("effect", capability, scope, cwd, port, site.where, site.origin, via)
        known = self._seen.get(key)
        if known is not None:
            for item in known:
                self._world.flows.effect(item)
            return
        reported = self._seen[key] = []
        kind = vocabulary()[capability].scope_kind
        if kind is ScopeKind.PATH:
            if not self.reading:
                self._addresses += [
                    (capability, _as_path(url), site, via, cwd) for url in texts_of(scope) if _is_url(url)
                ]
            scope = _without_streams(scope)
            if not scope:
                return
            if any(map(leads_by_caller, texts_of(scope))):
                self._world.assume("argument-paths", site)
            self.own_writes.add(capability, scope, cwd, site, via)
            self.links.passes(capability, scope, site, via, cwd)
        elif kind is ScopeKind.HOST and any(map(port_is_given, texts_of(scope))):
            self._world.assume("address-arguments", site)
        for found in sorted(
            reported_scopes(capability, scope, cwd, port), key=lambda one: (one.render(), type(one).__name__)
        ):  # so that two runs are alike
            reported.append(self._add(capability, found, site, via))
            self._judge_history(capability, found, site)
            marked = via.adding("on a sensitive place")
            reported += [self._add(extra, found, site, marked) for extra in sensitive(capability, found)]
            if _means_credential(capability, site) and (credential := credential_in(found)):
                reported.append(self._add("secret.read", credential, site, via))
        if capability == "web.fetch" and not (via.cause is Cause.FUNCTION and via.name.startswith(_HTTP_ONLY)):
            files = file_url_paths(frozenset(filter(_has_own_scheme, scope)))
            if files and any(isinstance(one, Text) and one.parts and isinstance(one.parts[0], str) for one in scope):
                self._world.effect("file.read", files, site, via.adding("with a file: URL"), cwd=cwd)

    def _add(self, capability: str, scope: Scope, site: Site, via: Via) -> Key:
        if self._added is not None:
            self._added(capability, scope, site)
        key = Key(capability, scope, site.where, site.origin)
        self._world.flows.effect(key)
        known = self._effects.get(key)
        # of several reasons the first in order of letters is told, not the first that was found: that may change from run to run
        if known is None or (via.possible, via.render()) < (known.via.possible, known.via.render()):
            self._effects[key] = Effect(capability, scope, site.where, via, site.origin, site.path)
            if capability in FILE_READS:
                self._read_at.setdefault(site.where, []).append(scope)
        return key

    def _judge_history(self, capability: str, scope: Scope, site: Site) -> None:
        """Data of Git is no part of the skill, so that it may change: what is run from it, or shown to the agent, is not known."""
        if not isinstance(scope, PathScope) or ".git" not in scope.parts or capability not in _USES:
            return
        runs = capability == "source.execute"
        if (runs or scope.anchor == "skill") and _may_be_data(scope.parts):
            reason = "data of Git, which is no part of the skill, is run" if runs else _HISTORY_READ
            self._not_understood(reason, site.where, _HISTORY_REMEDY, site.origin)

    def judge_history_in_texts(self) -> None:
        """Likewise for sentences, and for links that lead there."""
        for document in self._skill.documents:
            text = (self._skill.read(document.path) or b"").decode("utf-8", "replace")
            for at in names_data(text):
                where = Location(document.path, text.count("\n", 0, at) + 1)
                self._not_understood(_HISTORY_READ, where, _HISTORY_REMEDY)
        for link, target in self._skill.links.items():
            if ".git" in target.split("/"):
                reason = f"a symbolic link to `{target}`, where Git keeps data"
                self._not_understood(reason, Location(link), "remove the link")

    def _not_understood(self, reason: str, where: Location, remedy: str, origin: Origin = Origin.SCRIPT) -> None:
        self._opaque.setdefault((reason, where), Opaque(reason, where, remedy, origin))

    def opaque(self, reason: str, site: Site, remedy: str = "") -> None:
        """Report a place that is not understood.

        A command that the *agent* is told to run is named by its `shell.execute` or `source.execute`, and is judged again
        when the agent runs it; so what an unknown program would do is an assumption there, not an opaque place (ADR 5).
        """
        if self.reading and site.origin is Origin.INSTRUCTED:
            self._world.assume("instructed-commands", site)
            return
        self._not_understood(reason, site.where, remedy, site.origin)

    def assume(self, ident: str, site: Site | None = None) -> None:
        """Note an assumption; its location only if whoever wrote the skill can make it untrue."""
        places = self._assumptions.setdefault(ident, set())
        if site is not None and assumptions()[ident].by:
            places.add(Assumed(ident, site.where, site.origin))

    def named_by_file(self, site: Site) -> None:
        """Lines of a file become variables."""
        self._settings.setdefault(site.where, site)

    def judge_settings(self) -> None:
        """A file of settings is the user's; of one that the skill brings nobody can say that it leaves its programs alone."""
        brought = [PathScope("skill", tuple(file.path.split("/"))) for file in self._skill.files]
        for where, site in self._settings.items():
            read = [
                e.scope for e in self._effects.values() if e.capability in FILE_READS and e.where.file == where.file
            ]
            own = [scope for scope in read if isinstance(scope, PathScope) and scope.anchor == "skill"]
            if any(overlaps(scope, file) for scope in own for file in brought):
                self.opaque("lines of a file that the skill brings become variables", site, _NAME_THEM)
            else:
                self._world.assume("settings-files", site)

    def looks_for_settings(self, names: Iterable[str], words: Iterable[str], cwd: Value, site: Site) -> None:
        """A program is started that loads settings."""
        self.tools.add(ToolCall(frozenset(names), frozenset(words), cwd, site, self.reading > 0))

    def copies_skill(self, write: Write) -> bool:
        """Whether all that is read where a file is written are files of the skill, each of which is judged by its name."""
        read = self._read_at.get(write.where, ())
        return bool(read) and all(isinstance(scope, PathScope) and scope.anchor == "skill" for scope in read)

    def judge_own_writes(self) -> None:
        """What the skill writes into its own folder."""
        for reason, site in self.own_writes.judge():  # not by `opaque`: who is told to do it changes nothing
            self._not_understood(reason, site.where, REMEDY, site.origin)

    def _judge_links(self) -> None:
        """What happens at or below a link that the skill makes happens at its target."""
        if reason := self.links.carry(self._effects.values()):
            self.opaque(*reason)
            return
        for capability, site, via in self.links.climbed():
            self._world.effect(capability, ANY, site, _through_link(via))
        todo = list(self._effects.values())
        row = 0
        while todo:
            row += 1
            new: list[tuple[tuple[bool, str], Key, Effect]] = []
            for effect in todo:
                if vocabulary()[effect.capability].scope_kind is not ScopeKind.PATH:
                    continue
                old, via = _key(effect), _through_link(effect.via)
                order = via.possible, via.render()
                for scope in self.links.behind(effect, row):
                    for capability in (effect.capability, *sensitive(effect.capability, scope)):
                        behind = Effect(capability, scope, effect.where, via, effect.origin, effect.path)
                        new.append((order, old, behind))
            new.sort(key=itemgetter(0))  # of several reasons always the same is told
            todo = []
            for _, old, effect in new:
                key = _key(effect)
                self._world.flows.same(old, key)
                if self._effects.setdefault(key, effect) is effect:
                    todo.append(effect)

    def _judge_addresses(self) -> None:
        """What looks like an address is a path unless the same line uses a network: `os.makedirs('https://a/b')` makes folders."""
        fetched = {e.where for e in self._effects.values() if vocabulary()[e.capability].scope_kind is ScopeKind.HOST}
        for capability, path, site, via, cwd in self._addresses:
            if site.where not in fetched:
                self._world.effect(capability, frozenset({path}), site, via, cwd=cwd)

    def result(self) -> Effects:
        """All of it, in order."""
        self._judge_addresses()
        self._judge_links()
        counts = {stance: sum(1 for file in self._skill.files if file.stance is stance) for stance in Stance}
        return Effects(
            self._skill.name,
            str(self._skill.root),
            tuple(sorted(self._effects.values(), key=lambda one: (one.capability, *one.where, one.scope.render()))),
            tuple(sorted(self._opaque.values(), key=lambda item: (item.where, item.reason))),
            tuple(sorted(self._assumptions)),
            counts[Stance.ANALYSED],
            counts[Stance.INERT],
            counts[Stance.OPAQUE],
            self.commands.of_documents(),
            self._digests(),
            tuple(self.unread),
            self._world.flows.result(),
            assumed=tuple(sorted(self._assumed())),
            documents=tuple(document.path for document in self._skill.documents),
            code=self._files_with_code(),
            started=self.commands.of_scripts(),
            uses=tuple(sorted(self.uses)),
        )

    def _assumed(self) -> set[Assumed]:
        return {item for places in self._assumptions.values() for item in places}

    def _files_with_code(self) -> tuple[str, ...]:
        """Files of code, and documents that hold a code block or a command."""
        texts = {document.path for document in self._skill.documents}
        found = {file.path for file in self._skill.files if file.stance is not Stance.INERT} - texts
        found |= {document.path for document in self._skill.documents if document.fences or document.bangs}
        found |= {command.where.file for command in self.commands.of_documents()}
        found |= {item.where.file for item in self._opaque.values()} | {item.where.file for item in self._assumed()}
        found |= {effect.where.file for effect in self._effects.values() if effect.via.cause is not Cause.SENTENCE}
        return tuple(sorted(found))

    def _digests(self) -> tuple[tuple[str, str], ...]:
        """Of what was looked into, and of what effects stand in."""
        named = {where.file for effect in self._effects.values() for where in (effect.where, *effect.path)}
        return tuple(
            (file.path, f"sha256:{file.digest}")
            for file in self._skill.files
            if file.digest and (file.stance is Stance.ANALYSED or file.path in named)
        )


def _key(effect: Effect) -> Key:
    return Key(effect.capability, effect.scope, effect.where, effect.origin)


def _through_link(via: Via) -> Via:
    return via if via.words.endswith(_THROUGH) else via.adding(_THROUGH)


_THROUGH = "through a link"
_USES = frozenset({*FILE_READS, "source.execute", "context.load"})
_HISTORY_READ = "data of Git, which is no part of the skill, is named"
_HISTORY_REMEDY = "move what the skill needs out of `.git`"
_NAME_THEM = "set variables by names that are written down"
_STREAMS = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "-"})
_PROCESS = lazy_pattern(r"/dev/fd/\d{7,}")  # the names that `shell.redirects` gives to the streams of `<(…)`


def _may_be_data(parts: tuple[str, ...]) -> bool:
    """Whether a path leads to objects, logs or the index of a repository, or is a pattern that may."""
    inner = parts[parts.index(".git") :]
    if any("*" in part or "?" in part for part in inner[:2]):
        return True
    return bool(names_data("/".join(inner)))


def _means_credential(capability: str, site: Site) -> bool:
    """Whether a variable that is named like a key is one that is used: a document that sets it has the agent find the key first."""
    return capability == "env.read" or (capability == "env.write" and site.hosted and site.origin is Origin.INSTRUCTED)


def _without_streams(value: Value) -> Value:
    texts = {atom: atom.literal or "" for atom in value if isinstance(atom, Text)}
    return value - {
        text for text, known in texts.items() if known in _STREAMS or _PROCESS.fullmatch(known) or _is_url(text)
    }


def _is_url(text: Text) -> bool:
    """A URL given to a function that takes either: its fetch is an effect of its own."""
    first = text.parts[0] if text.parts else ""
    return isinstance(first, str) and first.lower().startswith(("http://", "https://", "ftp://", "s3://", "gs://"))


def _as_path(text: Text) -> Text:
    return concat(Text(("./",)), text)


def _has_own_scheme(atom: Atom) -> bool:
    """Whether a URL does not begin with what the caller gives, which names a file only if the caller does."""
    first = atom.parts[0] if isinstance(atom, Text) and atom.parts else None
    return not (isinstance(first, Hole) and of_caller(first))
