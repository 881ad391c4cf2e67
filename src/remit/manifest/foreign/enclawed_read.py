"""Reader of enclawed's manifests: skill.json, or `caps:` in the front matter of SKILL.md.

A token is an `allow`: enclawed grants it with the level of verification, and whether a person is asked follows from the
level and from what can be undone. Our gate treats `allow` the same way, so the level is converted and nothing is
decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE
from remit.manifest import fields as f
from remit.manifest.foreign.front import front_matter
from remit.manifest.foreign.permissions import least
from remit.manifest.foreign.result import Loss, LossKind, Reading, ordered
from remit.manifest.foreign.tokens import Token, parse_token
from remit.manifest.jsontext import Node, Reader
from remit.manifest.model import Classification, Decision, Manifest, Metadata, Permission, Verification
from remit.manifest.read import MAX_RANK, read_document
from remit.manifest.words import listed

if TYPE_CHECKING:
    from remit.skill.frontmatter import FrontMatter

FIELDS = ("v", "id", "label", "caps", "signer", "version", "verification")
MAX_VERSION = 2**53 - 1
# The ladder of its default scheme, lowest first: the paper names a rank where the code has a number.
_RANKS = ("public", "internal", "confidential", "restricted", "restricted-plus")


def read_enclawed(data: bytes, file: str) -> Reading:
    """The manifest in a skill.json or in a SKILL.md."""
    if file.lower().endswith(".md"):
        front = front_matter(data, file, FIELDS)
        reader = Reader(data.decode("utf-8"), file)
        return _reading(reader, _front_node(reader, front), ("caps",))
    reader, top = read_document(data, file)
    return _reading(reader, top, ("id", "caps"))


def is_enclawed(value: Any) -> bool:
    """Whether a JSON document claims to be a manifest of this kind; other tools have a skill.json too."""
    return isinstance(value, dict) and "caps" in value and isinstance(value["caps"].value, list)


def _front_node(reader: Reader, front: FrontMatter) -> Node:
    """Return the front matter fields that are enclawed's, as JSON would have them; the rest belongs to the skill."""
    if "caps" not in front.values:
        raise ManifestError(
            f"{reader.file}:1: there is no `caps` in the front matter", "add it, or convert from another format"
        )
    starts = [0]
    for line in reader.text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    wanted = {key: front.values[key] for key in FIELDS if key in front.values}
    wanted.setdefault("id", front.text("name") or None)

    def node(value: Any, path: tuple[str | int, ...]) -> Node:
        at = starts[front.line(*path) - 1]
        if isinstance(value, list):
            return Node([node(item, (*path, index)) for index, item in enumerate(value)], at)
        if isinstance(value, dict):
            return Node({key: node(item, (*path, key)) for key, item in value.items()}, at)
        number = path in (("v",), ("label", "level")) and isinstance(value, str) and value.isascii() and value.isdigit()
        return Node(int(value) if number and len(value) < 16 else value, at)

    return Node({key: node(value, (key,)) for key, value in wanted.items() if value is not None}, 0)


def _reading(reader: Reader, top: Node, required: tuple[str, ...]) -> Reading:
    optional = tuple(name for name in FIELDS if name not in required)
    found = f.fields(reader, top, "the manifest of enclawed", required, optional)
    if "v" in found and (found["v"].value != 1 or isinstance(found["v"].value, bool)):
        raise reader.fail(found["v"].at, "`v` is not 1", "only version 1 of the format is known")
    tokens: dict[Token, int] = {}
    for item in f.items(reader, found["caps"], "caps", f.FEW):
        tokens.setdefault(_token(reader, item), reader.line(item.at))  # a repeated token adds nothing
    losses = [loss for token in tokens for loss in _unsure(token)]
    if "signer" in found:
        signer = f.readable(reader, found["signer"], "signer", f.NAME)
        losses.append(
            Loss(LossKind.LOST, f"the signer `{signer}` is not taken over: a name in the file proves nothing")
        )
    level = Verification.UNVERIFIED
    if "verification" in found:
        level = f.word(reader, found["verification"], "verification", Verification)
    return Reading(Manifest(reader.file, tuple(_entries(tokens)), _metadata(reader, found), level), ordered(losses))


def _token(reader: Reader, node: Node) -> Token:
    text = f.text(reader, node, "caps")
    try:
        return parse_token(text)
    except ManifestError as error:
        raise reader.fail(node.at, error.message, error.remedy) from None


def _entries(tokens: dict[Token, int]) -> Iterator[Permission]:
    """Return one entry for each capability, with the scopes of every token that stands for it."""
    found: dict[str, list[tuple[Token, int]]] = {}
    for token, line in tokens.items():
        for name in least(token.capabilities):
            found.setdefault(name, []).append((token, line))
    for name, given in found.items():
        scopes = tuple(dict.fromkeys(token.scope for token, _ in given))
        yield Permission(name, (ANY_SCOPE,) if ANY_SCOPE in scopes else scopes, Decision.ALLOW, line=given[0][1])


def _unsure(token: Token) -> Iterator[Loss]:
    """An argument has one kind of scope; other capabilities of the token are not granted with it."""
    silent = [name for name in token._replace(scope=ANY_SCOPE).capabilities if name not in token.capabilities]
    if silent:
        message = (
            f"`{token.render()}` is not treated as a grant of {listed(silent)}: its argument does not speak of them"
        )
        yield Loss(LossKind.UNSURE, message, tuple(silent))


def _metadata(reader: Reader, found: dict[str, Node]) -> Metadata | None:
    if "id" not in found:
        return None
    version = ""
    if "version" in found:
        node = found["version"]
        text = isinstance(node.value, str)
        version = (
            f.readable(reader, node, "version", f.NAME)
            if text
            else str(f.whole(reader, node, "version", 0, MAX_VERSION))
        )
    label = _label(reader, found["label"]) if "label" in found else None
    return Metadata(f.readable(reader, found["id"], "id", f.NAME), version, None, label)


def _label(reader: Reader, node: Node) -> Classification:
    sets = ("compartments", "releasability")
    found = f.fields(reader, node, "`label`", (), ("level", "rank", *sets))
    if ("level" in found) == ("rank" in found):
        raise reader.fail(node.at, "`label` has not exactly one of `level` and `rank`", "write `level`, a whole number")
    if "level" in found:
        rank = f.whole(reader, found["level"], "level", 0, MAX_RANK)
        label = str(rank)
    else:
        label = f.text(reader, found["rank"], "rank", f.NAME)
        if label not in _RANKS:
            remedy = f"write {listed(_RANKS, 'or')}, or `level` with a number"
            raise reader.fail(found["rank"].at, f"`{f.shown(label)}` is not a known rank", remedy)
        rank = _RANKS.index(label)
    compartments, releasability = (
        tuple(
            sorted(f.distinct(reader, found[name], name, f.FEW, lambda item: f.readable(reader, item, "name", f.NAME)))
        )
        if name in found
        else ()
        for name in sets
    )
    return Classification(label, rank, compartments, releasability)
