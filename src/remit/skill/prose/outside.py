"""Names in a sentence of things outside of the skill: hosts, paths, programs, other agents, databases, schedules.

A sentence may ask in words that no table has. So a name alone is enough to list its sentence as unread, whatever is
said about it, unless an effect reports it. Each thing counts once in a document, and all links that a text only refers
to count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.skill import commands
from remit.skill.prose.context import negated
from remit.skill.prose.sentences import Sentence, is_sensitive

if TYPE_CHECKING:
    from remit.skill.prose.spans import Bundled

_ALWAYS = frozenset("~address ~settings ~profile ~schedule ~hooks ~skills ~apikey ~secret".split())
_FILES = frozenset("~data ~source ~folder ~code ~bundled ~memory".split())
_DOMAINS = (
    "com|org|net|io|dev|app|ai|xyz|cloud|example|test|invalid|info|biz|ru|cn|de|fr|es|uk|eu|top|site|online|edu|gov|us|ca|jp|nl|se|ch|"
    "au|pl|br|kr|tech|store|shop|co|me|gg|internal|local|onion"
)
HOST = lazy_pattern(
    r"(?<![\w@/.:$-])(?:(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\w)"
    rf"|(?:\*\.)?(?:[a-z0-9][\w-]*\.)+(?:{_DOMAINS})(?![\w(-]|\.\w)|(?:[a-z0-9][\w-]*\.){{2,}}[a-z]{{2,12}}(?=[:/]\w))"
    r"(?::\d{1,5})?(?:/[^\s)\"'`,;]*)?"
)
_COMMAND = lazy_pattern(r"[a-z][\w.-]+(?: [\w./:-]+)* --?[a-z]")  # a program without a summary, with an option
_PORT = lazy_pattern(r" on port (\d{1,5})")
# Without one there is no host: most sentences have none
_DOTTED = lazy_pattern(rf"\.(?:(?:{_DOMAINS})(?![\w(-])|\d|[a-z]{{2,12}}[:/]\w)")
_SHOWN = lazy_pattern(
    r"(?:.*\.)?(?:example\.(?:com|org|net)|localhost|127\.0\.0\.1|0\.0\.0\.0|shields\.io|w3\.org|json-schema\.org)\Z"
)
_ABSOLUTE = lazy_pattern(
    r"(?:~|\$HOME|\$\{HOME\}|/(?:etc|usr|var|home|root|opt|proc|sys|mnt|srv|media|private|Users|Library|Volumes|dev/tcp))/\S"
)
_RELATIVE = lazy_pattern(r"(?:\./)?([\w.@-]+)/(?:[\w.@<>{}$*\[\] -]+/)*[\w.@<>{}$*\[\] -]*\.[a-z]\w{0,5}\Z")
# Names of folders with which a path without code marks begins; other words with a slash are alternatives
_BARE = lazy_pattern(
    r"(?<![\w/.@~$<-])(?:\./)?(src|lib|bin|build|dist|docs?|out|outputs?|data|tmp|temp|tests?|config|public|static|assets|target|logs?|vendor|"
    r"node_modules|backups?|exports?|reports?|notes|drafts|archive|secrets?|keys|private|uploads|downloads|Documents|Desktop)"
    r"/(?=[\w.<>{}*-]*[._<{*/\d-])[\w<{][\w.<>{}*/-]+"
)
_MEANS = frozenset(
    "with through using via by into run runs running try use invoke call launch execute start and feed".split()
)
_HIDDEN = frozenset("quietly silently secretly covertly discreetly unnoticed unasked".split())
# Other agents, tools of other people, running services. Each pattern follows the words without one of which it cannot
# match.
_KINDS = {
    "agent": (
        "agent agents assistant assistants instance claude bot subagent subagents sub-agent sub-agents",
        (
            r"\b(?:another|further|second|third|additional|separate|fresh|new|parallel|different|other|extra|spare|fellow) "
            r"(?:\w+ )?(?:agents?|assistants?|claude|bots?|instance of)\b|\bsub-?agents?\b|\bagents? (?:called|named)\b"
        ),
    ),
    "database": (
        "database db cluster server environment",
        r"\b(?:production|prod|staging|live|customer|shared|remote|company|main) (?:database|db|cluster|server|environment)\b",
    ),
    "daemon": (
        "daemon daemons background systemd launchd",
        r"\bdaemons?\b|\bbackground (?:process|job|service)|\b(?:systemd|launchd)\b",
    ),
    "credentials": (
        "credentials keychain key keys token tokens passwords password dot-env dotenv",
        r"\b(?:credentials|keychain|(?:private|ssh|api|access|signing|deploy|secret) (?:keys?|tokens?)|(?:user|admin|root)(?:'s)? passwords?|dot-?env)\b",
    ),
    "personal": (
        "user's home clipboard browser inbox calendar address",
        (
            r"\buser's (?:own )?(?:documents|photos|pictures|files|desktop|downloads|contacts|calendar|inbox|mail|browser|screen|machine|computer)\b"
            r"|\bhome (?:folder|directory)\b|\bclipboard\b|\bbrowser (?:history|profile|cookies)\b|\baddress book\b"
        ),
    ),
    "settings": (
        "sudoers netrc kubeconfig bashrc zshrc authorized known",
        r"\b(?:sudoers|netrc|kubeconfig|bashrc|zshrc|authorized_keys|known_hosts)\b",
    ),
    "schedule": (
        "nightly crontab cron midnight overnight every",
        r"\b(?:nightly|cron(?:tab)?|at midnight|overnight|every (?:night|hour|morning|evening|(?:few |\d+ )(?:minutes|hours)))\b",
    ),
}
_KIND = lazy_pattern(
    rf"\b(?=[a-z])(?:{'|'.join(f'(?P<{name}>{pattern})' for name, (_, pattern) in _KINDS.items())})", re.IGNORECASE
)
_KIND_WORDS = frozenset(" ".join(words for words, _ in _KINDS.values()).split())
_REFERENCES = lazy_pattern(
    r"see also|further reading|learn more|references?\Z|resources|links|documentation|licen[cs]e|credits|acknowledg|sources|bibliography|citation",
    re.IGNORECASE,
)
_SIGNS = "*_\"'`().,;:!?[]"
_NO = frozenset({"no", "never", "without"})
_LABEL = 4  # words of a label
_REFERS = frozenset(
    "see docs documentation source sources license licence reference references homepage website repository more".split()
)


def may_name(words: tuple[str, ...]) -> bool:
    """Whether a sentence without code and signs may name something outside."""
    return not _KIND_WORDS.isdisjoint(words) or not _HIDDEN.isdisjoint(words)


def outside(sentence: Sentence, covered: frozenset[str], bundled: Bundled) -> Iterator[str]:  # noqa: C901  one case for each form of sentence
    """Return a key for each thing outside that a sentence names and that is not among `covered`, the names that effects
    report.
    """
    spoken, words = sentence.raw, sentence.words
    for (word, text), at in zip(sentence.codes, sentence.at, strict=True):
        name = text.strip().rstrip(".,;:!?")
        spoken = spoken.replace(text, " ", 1)
        if name in covered or negated(words, at):
            continue
        if word == "~code" and (_COMMAND.match(name) or (at and words[at - 1] in _MEANS and commands.is_named(name))):
            yield name
        elif key := _key(word, name, sentence, bundled):
            yield key
    if _DOTTED.search(spoken):
        for found in HOST.finditer(spoken):
            if not any(found[0] in name for name in covered) and (host := _host(found[0])):
                yield host
    if "/" in spoken:
        for found in _BARE.finditer(spoken):
            if bundled.find(found[0]) is None and found[0].rstrip(".") not in covered:
                yield found[0]
    yield from commands.named_programs([token.strip(_SIGNS) for token in spoken.split()]) - covered
    yield from _HIDDEN.intersection(words)
    if len(words) > _LABEL and not _KIND_WORDS.isdisjoint(words) and _NO.isdisjoint(words):
        for found in _KIND.finditer(spoken):
            yield found.lastgroup or ""


def bare_hosts(sentence: Sentence) -> Iterator[str]:
    """Return the addresses of hosts that a sentence names without a scheme."""
    for found in HOST.finditer(sentence.raw):
        port = _PORT.match(sentence.raw, found.end())
        if not sentence.raw.endswith("//", 0, found.start()) and _host(found[0]):
            yield f"https://{found[0].rstrip('.')}{':' + port[1] if port else ''}"


def _key(word: str, name: str, sentence: Sentence, bundled: Bundled) -> str:
    """Return what a name in code marks, an address or a path stands for; empty if it is nothing outside."""
    if word in {"~url", "~api"}:
        host = _host(name.partition("://")[2] or name)
        return "links" if host and _refers(sentence) else host
    if word in _ALWAYS:
        key = "credentials" if word in {"~apikey", "~secret"} else name
        return key if any(map(str.isalpha, sentence.words)) else ""
    if word not in _FILES:
        return ""
    if HOST.fullmatch(name) and ("/" in name or name.count(".") > 1):
        return _host(name)
    if word != "~bundled" and (_ABSOLUTE.match(name) or is_sensitive(name, "file.read")):
        return name
    if name.startswith("../"):
        return name if is_sensitive(name.replace("../", ""), "file.read") else ".."
    own = any(name.endswith(f"/{path}") for path in bundled.paths) if name.endswith(".md") else False
    found = None if own or word in {"~bundled", "~code"} else _RELATIVE.match(name) or _BARE.fullmatch(name)
    return name if found else ""


def _host(address: str) -> str:
    """Return the host of an address; empty if it is only an example."""
    host = address.partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
    if _SHOWN.match(host) or not host.isascii() or any(sign in host for sign in "{<$["):
        return ""
    return host


def _refers(sentence: Sentence) -> bool:
    """Whether a sentence only refers to pages: by its heading, by its beginning, or because it is a label and a link."""
    words = sentence.words
    return (
        _is_reference(sentence.heading) or not _REFERS.isdisjoint(words[:2]) or sum(map(str.isalpha, words)) <= _LABEL
    )


@cache
def _is_reference(heading: str) -> bool:
    return _REFERENCES.search(heading.rpartition(" / ")[2]) is not None
