"""Requests in the texts of a skill: commands and acts that can be named, and sentences that stay unread.

Every sentence falls into one of three classes. It names what it asks for (a command, an address, a path, a tool), which
becomes an effect. It asks for nothing, or for nothing but thought, an answer and work on the task's own files. Or it is
*unread*: it asks for something that only a reader can identify. Uncertain sentences are unread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import yaml

from remit.core.hosttools import host_tools, split_tool
from remit.core.patterns import lazy_pattern
from remit.skill import commands
from remit.skill.document import Document, Fence, inner, parse
from remit.skill.fences import from_fence, tags
from remit.skill.frontmatter import YamlError, compose
from remit.skill.prose.context import list_worth, negated, quoted
from remit.skill.prose.lexicon import ENOUGH, Lexicon, lexicon
from remit.skill.prose.mentions import acts_outside, says_something
from remit.skill.prose.orders import (
    Order,
    detects,
    is_foreign,
    looks_for,
    may_be_foreign,
    orders,
    verbs,
    waives_consent,
    words_of,
)
from remit.skill.prose.outside import bare_hosts, may_name, outside
from remit.skill.prose.reader import asked, singular
from remit.skill.prose.sentences import Sentence, is_sensitive, paragraph_sentences, sentences, split
from remit.skill.prose.spans import DATA_ENDING, NEIGHBOUR, Bundled
from remit.skill.prose.transfers import sends_to

if TYPE_CHECKING:
    from remit.skill.model import Skill

_DATA = frozenset({"json", "jsonc", "json5", "yaml", "yml", "toml"})
_FILES = frozenset({"text", "json", "yaml"})  # kinds of files that are read if a document names them
_DEEPEST = 60  # nesting levels of data that are read
_STEP_VERBS = frozenset(
    "read write delete remove fetch download upload post send submit copy move run execute install open call push publish exec get put create "
    "add append save store schedule notify email mail forward share sync mirror deploy commit clone disable enable grant set update patch goto "
    "navigate visit browse load curl wget".split()
)
# Fields that give the state or the kind of something
_STATES = frozenset(
    "status state mode permission permissions role roles access type scope kind event events level format content".split()
)
_GOALS = frozenset(
    "sink to recipient recipients cc bcc forward forward_to send_to webhook upload upload_to collector destination dest mirror post_to".split()
)
_ADDRESS = lazy_pattern(r"\w://\S|\S@[\w-]+\.\w")
_GOAL = lazy_pattern(r"://|@[\w-]+\.\w|(?:\d{1,3}\.){3}\d|^[\w-]+(?:\.[\w-]+)+(?:[:/]|\Z)")
_DATA_ROW = lazy_pattern(r"[ \t]*(?:#|-[ \t]+\S|(?:-[ \t]+)?[\"']?[a-z][\w.-]{0,40}[\"']?:(?:[ \t]|$))|[ \t]{2,}\S")
_NAME_PARTS = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+")
_FIELD = lazy_pattern(r"[ \t]*(?:-[ \t]+)?[\"']?([\w.-]{1,40})[\"']?[ \t]*[:=][ \t]+(\S.*?)[ \t]*,?")
_LONGEST_NAME = 60  # characters of the name of an action
_MOST = 12  # texts of a step that are read
_LARGEST = 256 * 1024  # bytes of such a file
_COMMAND_KEYS = frozenset(
    "run command cmd script shell exec bash sh execute install setup start postinstall preinstall build test deploy entrypoint".split()
)
# Fields of the front matter that give a skill's author and name
_LABELS = frozenset(
    "name license licence author authors version homepage repository repo url website docs documentation source tags keywords category "
    "categories icon emoji logo color model language languages created updated date allowed-tools tools hooks title slug id "
    "disable-model-invocation user-invocable context agent argument-hint globs paths".split()
)
_RUNS = frozenset("run execute launch invoke type enter exec call rerun re-run start use try do issue paste".split())
_MEANS = frozenset("with by via using through".split())
_IS_RUN = frozenset({("run",), ("executed",), ("called",), ("started",), ("launched",), ("invoked",)})
_STRONG = frozenset("run execute launch invoke type enter exec rerun re-run issue".split())
_PATHS = frozenset(
    {"~data", "~source", "~folder", "~settings", "~profile", "~schedule", "~hooks", "~skills", "~memory"}
)
_BY_COMMAND = _RUNS | frozenset("install build deploy push commit clone download fetch open create load".split())
_OWN = frozenset({"~bundled", "~script", "~manual"})
_VARIABLES = frozenset({"~variable", "~secret", "~apikey"})
_SETS = frozenset("set export change replace".split())
_OF_VARIABLES = _SETS | frozenset("read print include send paste".split())
_FROM = frozenset("from of with by using in inside against like via".split())
_READS_PAGE = frozenset(
    "see read follow consult check refer review study visit open use apply adhere look browse fetch load get learn find".split()
)
# Capabilities that belong to the task itself: its files, its texts
_OWN_WORK = frozenset(
    {"file.read", "file.write", "source.read", "source.write", "context.load", "commit.read", "env.read"}
)
_SPECIMENS = lazy_pattern(
    r"\b(?:attack|injection|jailbreak|malicious|exploit|intrusion|red flag|threat|vulnerab|detect|hacking|forensic|indicator)",
    re.IGNORECASE,
)
_TALKED_TO = lazy_pattern(r"(?<![\w.])(?:you|agents?|claude|assistants?|ai|models?|llms?)(?![\w.])", re.IGNORECASE)
_HOLE = lazy_pattern(
    r"\$\{?(?!HOME\b)\w+\}?|<[\w .|/-]{1,60}>|\{\{?[\w .-]{1,60}\}?\}|\[[\w .-]{1,60}\]|\bYOUR[_-]\w+|\.\.\.|\u2026|\*"
)
# An ending alone, a route of an API, a command of a host
_NO_FILE = lazy_pattern(
    r"\.(?!env|netrc|npmrc|pypirc|bashrc|zshrc|profile|gitconfig)\w{1,10}\Z"
    r"|(?:[\w-]+\.)+(?:com|org|net|io|co|ai|dev|app|sh|me)/"
    r"|/(?!etc/|usr/|var/|home/|root/|opt/|proc/|sys/|mnt/|tmp/|private/|Users/|Library/)"
)
_PAGES = frozenset(
    "guideline guide rule instruction documentation doc spec specification reference template prompt policy step api endpoint url script "
    "config manual standard checklist".split()
)
_DOCUMENT = lazy_pattern(rf"{DATA_ENDING}(?:#.*)?\Z")
_MUST = frozenset("must should shall".split())
_OCCASIONS = lazy_pattern(
    r"\W*(?:use|trigger|activate|invoke|apply|load)\b[^.;:]{0,60}\b(?:when|whenever|if|for)\b", re.IGNORECASE
)
_ARGUMENT = lazy_pattern(r"^[\w./-]+ (?:.* )?(?:-|[^\s-]*[./])")  # not `[curl, jq]`, a list of programs
_CHANGES = frozenset({"diff", "patch"})
_APPLIES = lazy_pattern(r"\b(?:apply|patch|make|commit|merge|change|edit|update)\b", re.IGNORECASE)
_CHANGED = lazy_pattern(r"^\+\+\+ (?:b/)?(\S+)", re.MULTILINE)
_TREE = lazy_pattern("[\u2500-\u257f]")  # boxes and trees of folders
_MARKED = lazy_pattern(r"[/=]|\.[a-z0-9]")  # of commands and addresses
_FEWEST = 3  # words of a field that may ask for something


class Act(NamedTuple):
    """An act that a sentence asks for by name: a capability and the path, address, tool or variable."""

    capability: str
    subject: str


class Request(NamedTuple):
    """A sentence that asks for something. `likely` are capabilities that an unread sentence seems to ask for."""

    file: str
    line: int
    text: str
    acts: tuple[Act, ...] = ()
    commands: tuple[str, ...] = ()
    unread: bool = False
    likely: tuple[str, ...] = ()


def requests(skill: Skill) -> tuple[Request, ...]:
    """Return every request of the texts that an agent reads, in the order of documents and lines."""
    bundled = Bundled(skill)
    read = [document for document in skill.documents if document.role != "people"]
    named = {path for document in read for path in _names(document, bundled)}
    read += [document for document in skill.documents if document.role == "people" and document.path in named]
    out = [found for document in read for found in requests_in(document, bundled)]
    known = {document.path for document in skill.documents}
    for path in sorted(named - known):
        out += _in_file(skill, path, bundled)
    return tuple(out)


def _names(document: Document, bundled: Bundled) -> Iterator[str]:
    """Return the files of the skill that a document links to or names in code."""
    for text in (*(target for target, _ in document.links), *(span.text for span in document.spans)):
        if (found := bundled.find(text)) is not None:
            yield found


def _in_file(skill: Skill, path: str, bundled: Bundled) -> Iterator[Request]:
    """Return the requests of a text or data file that a document refers the agent to."""
    file, data = skill.file(path), skill.read(path)
    if file is None or data is None or file.kind not in _FILES or len(data) > _LARGEST:
        return
    text = data.decode("utf-8", "replace")
    if file.kind == "text":
        yield from requests_in(parse(path, data), bundled)
    else:
        judge = _Judge(path, bundled)
        for sentence, line in _in_data(text, 1, "", bundled):
            yield from judge.judged(sentence, line)


def requests_in(document: Document, bundled: Bundled) -> Iterator[Request]:
    """Return the requests of one document."""
    judge = _Judge(document.path, bundled)
    shown = [fence.before.rstrip() for fence in document.fences if from_fence(fence, bundled.scripts)]
    for sentence in sentences(document, bundled):
        for found in judge.judged(sentence):
            if not (found.unread and _announces(sentence, shown)):
                yield found
            elif found.acts or found.commands:
                yield found._replace(unread=False, likely=())
    front = document.front_matter
    metadata = front.values.get("metadata")
    fields: dict[tuple[str, ...], object] = {
        (key,): value for key, value in front.values.items() if key not in {"description", "compatibility"}
    }
    if isinstance(metadata, dict):
        del fields["metadata",]
        fields |= {("metadata", str(key)): value for key, value in metadata.items()}
    for path, value in fields.items():
        if path[-1] not in _LABELS:
            data = json.dumps({path[-1]: value}, ensure_ascii=False, default=str)
            for sentence, command in _in_data(data, front.line(*path), "", bundled):
                yield from judge.judged(sentence, command)
    for fence in document.fences:
        yield from _in_fence(document, fence, judge)


def _announces(sentence: Sentence, shown: list[str]) -> bool:
    """Whether a sentence announces a block of commands, and says what to do: `Install it:`."""
    if sentence.words[-1] != ":" or any(order.verb not in _BY_COMMAND and order.reaches for order in orders(sentence)):
        return False
    return any(text.endswith(sentence.raw.rstrip()) for text in shown)


def _in_fence(document: Document, fence: Fence, judge: _Judge) -> Iterator[Request]:
    bundled = judge.bundled
    if fence.language in _CHANGES and _APPLIES.search(fence.before):
        for found in _CHANGED.finditer(fence.text):
            number = fence.line + fence.text.count("\n", 0, found.start())
            yield Request(document.path, number, found[0], (Act("file.write", found[1]),), unread=True)
    comments = fence.language not in tags().unlabelled
    if fence.language in _DATA or (not comments and _is_data(fence.text)):
        for sentence, line in _in_data(fence.text, fence.line, fence.heading, bundled):
            yield from judge.judged(sentence, line)
        return
    for sentence in paragraph_sentences(inner(fence), document, bundled):
        yield from judge.judged(sentence._replace(place="block"), remark=comments)


def _is_data(text: str) -> bool:
    """Whether a block without a language is JSON or YAML."""
    rows = [row for row in text.split("\n") if row.strip()]
    if text.lstrip()[:1] in {"{", "["} and text.rstrip()[-1:] in {"}", "]"}:
        return True
    return len(rows) > 1 and all(_DATA_ROW.match(row) for row in rows)


def _in_data(text: str, line: int, heading: str, bundled: Bundled) -> Iterator[tuple[Sentence, str]]:
    """Return the texts of JSON or YAML as sentences, each with its command, if any; as far as it can be parsed."""
    try:
        root = compose(text)
    except YamlError:
        yield from _rows(text, line, heading, bundled)
        return
    for text_line, number in _steps(root, 0):
        for sentence in split(text_line, line + number, heading, "field", bundled):
            yield sentence, ""
    for node, command in _scalars(root, "", 0):
        at = line + node.start_mark.line
        for number, sentence in enumerate(split(node.value, at, heading, "field", bundled)):
            yield sentence, "" if number else command


def _scalars(node: yaml.Node | None, key: str, depth: int) -> Iterator[tuple[yaml.ScalarNode, str]]:
    """Return the text nodes of a tree; a text whose field name calls it a command is joined with its arguments."""
    if isinstance(node, yaml.ScalarNode):
        if node.tag == "tag:yaml.org,2002:str":
            yield node, node.value if key in _COMMAND_KEYS else ""
    elif isinstance(node, yaml.SequenceNode) and depth < _DEEPEST:
        words = [item.value for item in node.value if isinstance(item, yaml.ScalarNode)]
        line = " ".join(map(_quote, words))
        if len(words) == len(node.value) and _ARGUMENT.search(line) and commands.is_command(line, bare=False):
            yield node.value[0], line
            return
        for item in node.value:
            yield from _scalars(item, key, depth + 1)
    elif isinstance(node, yaml.MappingNode) and depth < _DEEPEST:
        fields = {name.value: value for name, value in node.value if isinstance(name, yaml.ScalarNode)}
        more = fields.get("args")
        words = (
            [item.value for item in more.value if isinstance(item, yaml.ScalarNode)]
            if isinstance(more, yaml.SequenceNode)
            else []
        )
        for name, value in fields.items():
            if name == "command" and words and isinstance(value, yaml.ScalarNode):
                yield value, " ".join([value.value, *(_quote(word) for word in words)])
            elif name not in _LABELS or name == "tools":
                yield from _scalars(value, name, depth + 1)


def _steps(node: yaml.Node | None, depth: int) -> Iterator[tuple[str, int]]:
    """Return steps of a plan as sentences: a mapping or a list in which one text names an act on the others."""
    if depth > _DEEPEST or not isinstance(node, (yaml.MappingNode, yaml.SequenceNode)):
        return
    pairs = [item for item in node.value if isinstance(item, tuple)]
    texts = [(key.value, value.value) for key, value in pairs if _is_scalar(key) and _is_scalar(value)]
    if not pairs and node.value and _is_scalar(node.value[0]):
        texts = [("do", node.value[0].value)]
    described = any(
        len(words := text.split(None, 1)) > 1
        and words[0].lower() in words_of().determiner
        and key not in _LABELS | {"description"}
        for key, text in texts
    )
    for key, text in texts:
        if verb := _step_verb(key.lower(), text) or ("send" if described and _ADDRESS.search(text) else ""):
            goal = f"to {text}" if verb == "send" and text != verb else ""
            rest = " ".join(islice(_leaves(node, text), _MOST))
            if goal or rest or " " in verb:
                yield f"{verb} the {goal} {rest}", node.start_mark.line
                break
    for child in node.value:
        for inner_node in child if isinstance(child, tuple) else (child,):
            yield from _steps(inner_node, depth + 1)


def _is_scalar(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode)


def _leaves(node: yaml.Node, without: str, key: str = "") -> Iterator[str]:
    """Return the texts of a step and of its children, each after the name of its field."""
    if isinstance(node, yaml.ScalarNode):
        if node.value != without:
            yield f"{key} {node.value}"
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _leaves(item, without, key)
    elif isinstance(node, yaml.MappingNode):
        for name, item in node.value:
            yield from _leaves(item, without, name.value if isinstance(name, yaml.ScalarNode) else "")


def _step_verb(key: str, text: str) -> str:
    """Return the verb of a step: a text that is one, the name of an action that contains one, or the name of a
    destination.
    """
    if key in _STEP_VERBS - _COMMAND_KEYS and (text.count(" ") >= _FEWEST - 1 or _GOAL.search(text)):
        return f"{key} the {text} and"
    if key in _GOALS and _GOAL.search(text):
        return "send"
    if key in _STATES or " " in text or "/" in text or len(text) > _LONGEST_NAME:
        return ""
    parts = [part.lower() for part in _NAME_PARTS.findall(text)]
    if len(parts) > 1 and (key in _LABELS or text.isupper()):
        return ""
    return next((part for part in parts if part in _STEP_VERBS | verbs().delete), "")


def _rows(text: str, line: int, heading: str, bundled: Bundled) -> Iterator[tuple[Sentence, str]]:
    """Return the fields of data that cannot be parsed as a whole, row by row."""
    for number, row in enumerate(text.split("\n")):
        found = _FIELD.fullmatch(row)
        key, value = (found[1], found[2]) if found else ("", row)
        if value[:1] in "\"'" and value[-1:] == value[:1]:
            value = value[1:-1]
        for at, sentence in enumerate(split(value, line + number, heading, "field", bundled)):
            yield sentence, "" if at or key.lower() not in _COMMAND_KEYS else value


def _quote(word: str) -> str:
    return word if re.fullmatch(r"[\w@%+=:,./<>{}$-]+", word) else "'" + word.replace("'", "'\\''") + "'"


# ── one sentence ──


class _Judge:
    """Judges the sentences of one document, in which each thing outside counts once."""

    def __init__(self, file: str, bundled: Bundled) -> None:
        self.file = file
        self.bundled = bundled
        self.named: set[str] = set()
        self.said: set[tuple[str, str]] = set()

    def judged(self, sentence: Sentence, command: str = "", *, remark: bool = False) -> Iterator[Request]:
        """Return the request of a sentence, if it is one. `command`: its field name calls it a command. `remark`: it is
        in code.
        """
        bundled = self.bundled
        short = len(sentence.words) < _FEWEST or " " not in sentence.raw.strip()
        if sentence.place == "field" and short and not command and not sentence.codes:
            return  # a value
        if sentence.place == "block" and _TREE.search(sentence.raw):
            return
        found = orders(sentence)
        if not found and not sentence.codes and not command and _is_plain(sentence, bundled):
            return  # most sentences: they name nothing and ask for nothing
        lines = _command_lines(sentence, found, bundled, command)
        excused = _is_specimen(sentence)
        told = {} if excused else dict(_acts(sentence, found, bundled))
        acts = tuple(told)
        unread = _is_unread(sentence, found, lines, acts, bundled, excused=excused) or (
            bool(command) and not lines and " " in command.strip()
        )
        sure = tuple(act for act, plain in told.items() if plain)
        if remark and not (acts or lines or _TALKED_TO.search(sentence.text)):
            unread = False
        if not excused:
            unread = self._names_something_new(sentence, lines, sure) or unread
            if not _OCCASIONS.match(sentence.text) and (not remark or _TALKED_TO.search(sentence.text)):
                unread = self._says_something_new(sentence, _covered(found, lines, acts)) or unread
        if lines or acts or unread:
            yield Request(
                self.file, sentence.line, sentence.text, acts, lines, unread, _likely(sentence) if unread else ()
            )

    def _names_something_new(self, sentence: Sentence, lines: tuple[str, ...], acts: tuple[Act, ...]) -> bool:
        if looks_for(sentence.words):
            return False
        new = set(outside(sentence, _names_of(lines, acts), self.bundled)) - self.named
        self.named |= new
        return bool(new)

    def _says_something_new(self, sentence: Sentence, covered: frozenset[str]) -> bool:
        new = set(acts_outside(sentence, covered)) - self.said
        self.said |= new
        return bool(new)


def _likely(sentence: Sentence) -> tuple[str, ...]:
    """Return the capabilities that a sentence seems to ask for."""
    return tuple(name for name, points, _ in asked(sentence) if points >= ENOUGH)


@cache
def _further() -> Lexicon:
    """Return the lexicon without the task's own capabilities."""
    known, own = lexicon(), _OWN_WORK
    verbs = {verb: tuple(one for one in every if one.capability not in own) for verb, every in known.verbs.items()}
    says = {word: tuple(one for one in every if one.capability not in own) for word, every in known.phrases.items()}
    needs = {word: tuple(one for one in every if one.capability not in own) for word, every in known.needs.items()}
    forms = {form: tuple(one for one in every if verbs[one[0]]) for form, every in known.forms.items()}
    begins = {word for word, every in says.items() if every} | {form.partition("_")[0] for form in forms if forms[form]}
    return Lexicon(verbs, forms, says, needs, known.compounds, frozenset(begins))


def _is_plain(sentence: Sentence, bundled: Bundled) -> bool:
    """Whether a sentence without orders and names has no word that could mean anything else."""
    raw, words = sentence.raw, sentence.words
    if not raw.isascii() or _MARKED.search(raw) or words[0] == "from" or may_be_foreign(sentence):
        return False
    if may_name(words):
        return False
    tokens = raw.split()
    return not says_something(words) and not commands.any_program(tokens) and bundled.scripts.isdisjoint(tokens)


def _is_specimen(sentence: Sentence) -> bool:
    """Whether a sentence is where a text shows what should not be done, or what others do."""
    return (
        "\u274c" in sentence.words
        or commands.is_warning_heading(sentence.heading)
        or list_worth(sentence) == 0
        or _shows_specimens(sentence.heading)
    )


@lru_cache(512)
def _shows_specimens(heading: str) -> bool:
    return _SPECIMENS.search(heading) is not None


def _is_unread(
    sentence: Sentence,
    found: tuple[Order, ...],
    lines: tuple[str, ...],
    acts: tuple[Act, ...],
    bundled: Bundled,
    *,
    excused: bool,
) -> bool:
    if sentence.place not in {"title", "needs"} and may_be_foreign(sentence) and is_foreign(_spoken(sentence)):
        return True
    if sentence.place == "about":
        found = tuple(order for order in found if order.verb in verbs().act)
    open_orders = [order for order in found if order.reaches and not _is_named(sentence, order, lines, acts, bundled)]
    if excused:  # in a section of warnings only a sentence that names its object may be meant as an order after all
        return any(sentence.at and order.verb in verbs().act for order in open_orders)
    if open_orders:
        return True
    if sentence.place not in {"title", "about"} and waives_consent(sentence.words):
        return True
    if not found or found[-1].detects or sentence.place in {"title", "about"} or acts or lines:
        return False
    if _OCCASIONS.match(sentence.text) or any(
        word in {"~command", "~script", "~service"} for word, _ in sentence.codes
    ):
        return False
    return any(points >= ENOUGH for _, points, _ in asked(sentence, _further()))


def _covered(found: tuple[Order, ...], lines: tuple[str, ...], acts: tuple[Act, ...]) -> frozenset[str]:
    """Return the names that effects report. Without a requesting verb, a name is reported as a read, although more may
    be meant.
    """
    return _names_of(lines, acts if found else ())


def _names_of(lines: tuple[str, ...], acts: tuple[Act, ...]) -> frozenset[str]:
    if not lines and not acts:
        return frozenset()  # most sentences
    return frozenset([*(word for line in lines for word in line.split()), *(act.subject for act in acts)])


def _spoken(sentence: Sentence) -> str:
    """Return a sentence without code and links."""
    out = sentence.raw
    for _, text in sentence.codes:
        out = out.replace(text, " ")
    return out


def _is_named(
    sentence: Sentence, order: Order, lines: tuple[str, ...], acts: tuple[Act, ...], bundled: Bundled
) -> bool:
    """Whether a verb is explained by a command or a named thing of its clause, which is reported."""
    programs = {line.split(None, 1)[0] for line in lines}
    if order.verb in programs or (lines and order.verb in _BY_COMMAND):
        return True
    for (word, text), at in zip(sentence.codes, sentence.at, strict=True):
        if at > order.at and order.verb not in verbs().post:
            if word == "~command" and _is_taken(sentence, text, bundled):
                return True
            if word == "~script" or (word in _OWN and order.verb in _BY_COMMAND):
                return True
    kinds = {act.capability for act in acts}
    return any(order.verb in meant and not named.isdisjoint(kinds) for named, meant in _explained())


@cache
def _explained() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Capabilities, and the verbs that ask for no more than one of them."""
    known = verbs()
    return (
        (frozenset({"web.fetch"}), _READS_PAGE | {"download", "clone", "retrieve", "navigate", "access"}),
        (frozenset({"web.post"}), known.post),
        (frozenset({"file.read", "file.write", "file.delete"}), known.write | known.delete | {"open", "load", "edit"}),
        (frozenset({"tool.invoke"}), _RUNS),
    )


def _is_taken(sentence: Sentence, text: str, bundled: Bundled) -> bool:
    """Whether a command in code marks is read as one to run (see `fences.from_spans`)."""
    before, _, after = sentence.raw.partition(text)
    return (
        commands.is_command(text, bundled.scripts, bare=False)
        and commands.balanced(text)
        and commands.is_instruction(f"{before.rstrip('`')}\0{after.lstrip('`')}", sentence.heading)
    )


# ── what it names ──


def _acts(sentence: Sentence, found: tuple[Order, ...], bundled: Bundled) -> Iterator[tuple[Act, bool]]:
    """Return what is done to the things that a sentence names; each with whether its verb says no more than that."""
    words, known = sentence.words, verbs()
    looks = bool(sentence.codes) and detects(words)
    for (word, text), at in zip(sentence.codes, sentence.at, strict=True):
        if any(order.detects for order in found[-1:] if order.at < at):
            continue  # what others do
        verb = _verb_of(sentence, found, at) or _told_by_place(sentence, word, text, at, looks=looks)
        if not verb or negated(words, at) or quoted(words, at):
            continue
        if word in {"~url", "~api"} and "://" in text and not _HOLE.search(text.partition("://")[2].partition("/")[0]):
            sent = verb in known.post or sends_to(sentence.raw[: max(sentence.raw.find(text), 0)])
            sure = verb in _READS_PAGE or verb in known.read or sent
            yield Act("web.post" if sent else "web.fetch", text.rstrip(".,;:!?")), sure
        elif word in _PATHS or text.startswith("../") or (word == "~code" and text.startswith(("~/", "/etc/"))):
            yield from _file_acts(words, at, verb, text)
        elif word == "~bundled" and _DOCUMENT.search(text) and bundled.find(text) is None:
            yield Act("file.read", text.partition("#")[0]), True  # the skill has no such file
        elif word == "~tool" and split_tool(text)[0] not in host_tools():
            yield Act("tool.invoke", split_tool(text)[0]), True
        elif word in _VARIABLES and verb in _OF_VARIABLES:
            name = text.partition("=")[0].strip("${}")
            yield Act("env.write" if verb in _SETS else "env.read", name), True
    for order in found[-1:]:
        if order.verb in known.post and "." in sentence.raw:
            for host in bare_hosts(sentence):
                yield Act("web.post", host), True


def _told_by_place(sentence: Sentence, word: str, text: str, at: int, *, looks: bool) -> str:
    """Return what a name without a requesting verb means: a page is given by its label, a secret place by being named
    at all.
    """
    words = sentence.words
    if word in {"~url", "~api"}:
        if sends_to(sentence.raw[: max(sentence.raw.find(text), 0)]):
            return "post"
        given = not _PAGES.isdisjoint(map(singular, words[:at])) or not _MUST.isdisjoint(words[:at])
        return "read" if given and sentence.place != "title" else ""
    if (
        word in _PATHS | {"~code", "~bundled"}
        and sentence.place != "title"
        and not looks
        and is_sensitive(text.replace("../", ""), "file.read")
    ):
        return "read"
    return ""


def _verb_of(sentence: Sentence, found: tuple[Order, ...], at: int) -> str:
    """Return the verb whose object is at a position: the last requested one before it, or the one that announces the
    list.
    """
    before = [order for order in found if order.at < at]
    if before:
        return before[-1].verb
    if at == 0 and sentence.lead is not None and (led := orders(sentence.lead)):
        return led[-1].verb
    return ""


def _file_acts(words: tuple[str, ...], at: int, verb: str, text: str) -> Iterator[tuple[Act, bool]]:
    path = text.strip().rstrip(".,;:")
    document = NEIGHBOUR.match(path)
    path = document[1] if document else path
    if _NO_FILE.match(path) or (_HOLE.search(path) and not path.startswith(("~/", "/"))):
        return  # no file; or a file of the task, whose name the agent chooses
    known = verbs()
    before = set(words[max(0, at - 3) : at])
    if verb in known.delete:
        yield Act("file.delete", path), True
    elif verb in known.write and (before.isdisjoint(_FROM) or "in" in before):
        there = verb != "copy" or not before.isdisjoint({"to", "into", "over", "onto"})
        yield Act("file.write" if there else "file.read", path), True
    elif (
        words[at - 1] == "into"
        or words[at - 2 : at] == ("into", "the")
        or words[at - 3 : at] == ("into", "the", "file")
    ):
        yield Act("file.read" if verb == "look" else "file.write", path), True
    elif verb in known.read or verb in known.think or verb in known.write or verb in known.post:
        yield Act("file.read", path), True
    else:  # whatever is done with it; a document that the text points to is at least read
        yield Act("file.read" if document else "file.write", path), False


# ── commands without code marks ──

_SHELL_SCRIPT = lazy_pattern(r"[\w./-]+\.(?:sh|bash)")
_TOKEN = lazy_pattern(r"\S+")
_MAY_CALL = lazy_pattern(r"[/=]|\w\.\w")  # scripts and assignments may begin a command as well
_TRAILING = lazy_pattern(r"[.,;:!?]+$")
_SIGNED = lazy_pattern(r"^(?:-|[|<>&;]|\$|~|\.{0,2}/)|[/=\\*$|]|\w\.\w")
_ONLY_COMMANDS = lazy_pattern(r"-{1,2}[A-Za-z]|[|<>]|~/|\.{1,2}/")
_PROSE = frozenset(
    "to and then before after when if for from with on so which that again as until unless or the a an your this these those in into at by "
    "via using first now once is are was will can should it them each every all".split()
)
_BUILDERS = frozenset({"make", "just"})  # their operands are names
_TARGET = lazy_pattern(r"[a-z][\w-]*[.,;:]?")
_LEADS = frozenset("and then with using via by or command: run: execute: type: is comes follows".split())
_SUBCOMMANDS = frozenset(
    "install add run build push pull commit clone init deploy login publish start stop apply exec up down fetch checkout test get create "
    "delete update upgrade remove uninstall restart logs ps status".split()
)


def _command_lines(sentence: Sentence, found: tuple[Order, ...], bundled: Bundled, command: str) -> tuple[str, ...]:
    """Return the command lines that a sentence asks for outside of code marks, and programs that it names alone."""
    if command:
        lines = [
            line for line in command.replace("\\\n", " ").split("\n") if commands.is_command(line, bundled.scripts)
        ]
        return tuple(lines) if all(map(commands.balanced, lines)) else ()
    out = [*_bare_programs(sentence, found, bundled)] if sentence.codes else []
    if sentence.place in {"about", "needs", "field"}:  # code marks elsewhere are read with the blocks of the document
        out += _marked_commands(sentence, bundled)
    for row in sentence.raw.split("\n"):
        if "`" not in row and (commands.any_program(row.split()) or _MAY_CALL.search(row)):
            out += _plain_commands(row, sentence, bundled)
    return tuple(dict.fromkeys(line for line in out if commands.balanced(line)))


def _marked_commands(sentence: Sentence, bundled: Bundled) -> Iterator[str]:
    for word, text in sentence.codes:
        if word == "~command" and _is_taken(sentence, text, bundled):
            yield text


def _bare_programs(sentence: Sentence, found: tuple[Order, ...], bundled: Bundled) -> Iterator[str]:
    """Return a program to run: `pytest`, or a script, with or without code marks; with options and files in code marks
    of their own.
    """
    words = sentence.words
    for number, ((word, text), at) in enumerate(zip(sentence.codes, sentence.at, strict=True)):
        script = bundled.find(text) if word == "~script" else None
        made = word == "~source" and _SHELL_SCRIPT.fullmatch(text) is not None
        if not (script or made or (word == "~code" and " " not in text and commands.is_command(text))):
            continue
        if sentence.place == "title" or negated(words, at) or quoted(words, at):
            continue
        verb = _verb_of(sentence, found, at)
        means = words[at - 1] in _MEANS or words[at + 2 : at + 3] in _IS_RUN
        rest = () if script or made else _arguments(sentence, number)
        if (
            verb in _STRONG
            or (rest and verb in _RUNS)
            or (script and (verb in _RUNS | {"begin"} or (means and verb not in _READS_PAGE)))
        ):
            yield f"./{script}" if script else f"sh {text}" if made else " ".join((text, *rest))


def _arguments(sentence: Sentence, number: int) -> tuple[str, ...]:
    """Return the options after a program and the files after these: `truncate` with `-s 0` on `a.txt`."""
    after = sentence.codes[number + 1 :]
    if not after or not after[0][1].startswith("-"):
        return ()
    return tuple(text for word, text in after if text.startswith("-") or word in _PATHS)


def _plain_commands(text: str, sentence: Sentence, bundled: Bundled) -> Iterator[str]:
    tokens = [(found.start(), found[0]) for found in _TOKEN.finditer(text)]
    starts = [
        number
        for number, (_, token) in enumerate(tokens)
        if commands.may_begin(token, bundled.scripts) and _starts(text, tokens, number, sentence, bundled)
    ]
    for number, begin in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(tokens)
        said = _without_remarks([token for _, token in tokens[begin:end]])
        taken = _taken(said, whole=begin == 0 and sentence.place in {"row", "field"})
        line = " ".join(taken)
        if not commands.is_instruction(
            f"{text[: tokens[begin][0]]}\0{text[tokens[begin][0] + len(line) :]}", sentence.heading
        ):
            continue
        if commands.is_command(line, bundled.scripts) or taken[0] in _BUILDERS:
            yield line


def _starts(text: str, tokens: list[tuple[int, str]], number: int, sentence: Sentence, bundled: Bundled) -> bool:
    """Whether a command begins with this word: a known program after a verb of running, or one with arguments that only
    commands have.
    """
    place, token = tokens[number]
    before = tokens[number - 1][1].strip("*_\"'():,").lower() if number else ""
    if token in _BUILDERS and before in _STRONG and number + 1 < len(tokens):
        return _TARGET.fullmatch(tokens[number + 1][1]) is not None and tokens[number + 1][1] not in _PROSE
    if not (token[0].islower() or token[0] in "./~") or not commands.is_command(
        text[place:], bundled.scripts, bare=False
    ):
        return False
    after = tokens[number + 1][1] if number + 1 < len(tokens) else ""
    near = [item for _, item in tokens[number + 1 : number + 5]]
    if commands.is_english(token) and not any(map(_ONLY_COMMANDS.match, near)):
        return False
    option = len(near) > 1 and any(re.fullmatch(r"--?[a-z][\w-]*", item) for item in near[1:])
    if after.startswith("("):
        return False  # a remark
    telling = bool(_SIGNED.search(after)) or after.strip(".,;:") in _SUBCOMMANDS
    signed = any(_SIGNED.search(item) for _, item in tokens[number + 1 : number + 6])
    if before in _STRONG:
        return after.lower() not in _PROSE or telling
    if not number and sentence.place in {"row", "field", "item"}:
        return signed or telling
    if not number:
        return sentence.place != "block" and signed and telling
    return (telling or option) and (before in _RUNS | _LEADS or tokens[number - 1][1].endswith(":"))


def _without_remarks(tokens: list[str]) -> list[str]:
    """Return the words without bracketed remarks between them: `(it takes a while)` is nothing that a shell could read
    there.
    """
    out: list[str] = []
    remark = False
    for token in tokens:
        remark = remark or (token.startswith("(") and commands.balanced(" ".join(out)))
        if not remark:
            out.append(token)
        remark = remark and ")" not in token
    return out


def _taken(tokens: list[str], *, whole: bool) -> list[str]:
    """Return the words of a command: up to the last one that only commands have, and on to where the sentence
    continues.
    """
    last = max(
        (
            number
            for number, token in enumerate(tokens)
            if _SIGNED.search(_TRAILING.sub("", token)) or token[0] in "\"'"
        ),
        default=0,
    )
    end = last + 1
    while (
        end < len(tokens)
        and (whole or tokens[end].lower().strip(".,;:") not in _PROSE)
        and not tokens[end - 1].endswith((",", ".", ";", ":"))
    ):
        end += 1
    out = tokens[: max(end, 2) if tokens[0] in _BUILDERS else end]
    out[-1] = _TRAILING.sub("", out[-1]) or out[-1]
    return [token.strip("*") if token.startswith("**") or token.endswith("**") else token for token in out]
