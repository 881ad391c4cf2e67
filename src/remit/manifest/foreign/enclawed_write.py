"""Writer of enclawed's manifests: the tokens for what is granted, as narrow as the format allows.

Enclawed has neither questions nor denials, and a token stands for more than one of our capabilities: each widening is
reported as a loss.
"""

from __future__ import annotations

import json
from typing import Any

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import ANY_SCOPE, Scope
from remit.manifest.foreign.enclawed_read import FIELDS, MAX_VERSION, read_enclawed
from remit.manifest.foreign.losses import differences, unsaid
from remit.manifest.foreign.permissions import least, narrowed
from remit.manifest.foreign.result import Loss, LossKind, Writing, ordered
from remit.manifest.foreign.tokens import Token, argument_kind, parse_token
from remit.manifest.model import Decision, Manifest, Metadata, Verification
from remit.manifest.render import layout

NAME = "enclawed"
_SAYS = ("name", "version", "verification", "classification")


def write_enclawed(manifest: Manifest) -> Writing:
    """Return the lines of front matter for SKILL.md."""
    tokens, losses = _tokens(manifest)
    fields, more = _fields(manifest, tokens)
    text = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items())
    return _written(manifest, text, f"---\n{text}---\n", "SKILL.md", tokens, [*losses, *more])


def write_enclawed_json(manifest: Manifest) -> Writing:
    """Return a skill.json. Signing it adds the signer."""
    tokens, losses = _tokens(manifest)
    fields, more = _fields(manifest, tokens)
    missing = [name for name in ("id", "version") if name not in fields]
    if missing:
        more.append(Loss(LossKind.LOST, f"the manifest has no {' and no '.join(missing)}; enclawed needs it"))
    more.append(Loss(LossKind.LOST, "enclawed needs a `signer`: add the id of the key that signs the skill"))
    full = {"v": 1, "label": {"level": 0}, "verification": "unverified"} | fields
    text = layout({name: full[name] for name in FIELDS if name in full})
    back = text if "id" in fields else layout({"id": "-"} | fields)
    return _written(manifest, text, back, "skill.json", tokens, [*losses, *more])


def _written(manifest: Manifest, text: str, back: str, file: str, tokens: list[Token], losses: list[Loss]) -> Writing:
    words = {token.render(): token.capabilities for token in tokens}
    after = read_enclawed(back.encode(), file).manifest
    return Writing(text, ordered([*losses, *differences(manifest, after, words, losses, NAME)]))


def _tokens(manifest: Manifest) -> tuple[list[Token], list[Loss]]:
    """Return the tokens that cover every grant, and what they cannot express."""
    losses: list[Loss] = []
    wanted: dict[tuple[str, Scope], None] = {}
    for entry in manifest.permissions:
        for name in least(vocabulary().expand(entry.capability)):
            if entry.decision(name) is Decision.DENY:
                losses.append(
                    Loss(LossKind.LOST, f"enclawed has no denial: `{name}` ({entry.place}) is not said", (name,))
                )
            elif not vocabulary()[name].enclawed:
                losses.append(Loss(LossKind.NARROWED, f"enclawed has no token for `{name}` ({entry.place})", (name,)))
            else:
                wanted.update(dict.fromkeys((name, scope) for scope in narrowed(entry, name)[0]))
    chosen: dict[Token, None] = {}
    # capabilities of one token first: what they need may stand for the others too
    for name, scope in sorted(wanted, key=lambda item: len(vocabulary()[item[0]].enclawed) > 1):
        fitting = [token for word in vocabulary()[name].enclawed if (token := _token(word, name, scope))]
        if not fitting:
            message = f"`{name}` ({scope.render()}) is left out: no argument of a token says it"
            losses.append(Loss(LossKind.NARROWED, message, (name,)))
        elif not any(token in chosen or Token(token.name) in chosen for token in fitting):
            chosen[min(fitting, key=lambda token: len(token.capabilities))] = None
    tokens = [token for token in chosen if token.scope == ANY_SCOPE or Token(token.name) not in chosen]
    if any(token.scope != ANY_SCOPE for token in tokens):
        message = "tokens with an argument follow the paper; enclawed's reference code takes only bare ones"
        losses.append(Loss(LossKind.UNSURE, message))
    return sorted(tokens, key=Token.render), losses


def _token(word: str, capability: str, scope: Scope) -> Token | None:
    """Return the token of this name that grants a capability for a scope; None if its argument cannot be expressed."""
    if scope == ANY_SCOPE or vocabulary()[capability].scope_kind is not argument_kind(word):
        return Token(word)
    token = Token(word, scope)
    try:
        return token if parse_token(token.render()) == token else None
    except ManifestError:
        return None


def _fields(manifest: Manifest, tokens: list[Token]) -> tuple[dict[str, Any], list[Loss]]:
    """Return the fields of enclawed that the manifest has."""
    losses = unsaid(manifest, NAME, _SAYS)
    about = manifest.skill_metadata
    fields: dict[str, Any] = {"id": about.name} if about else {}
    if about and about.version:
        number = about.version.isascii() and about.version.isdigit() and str(int(about.version)) == about.version
        if number and int(about.version) <= MAX_VERSION:
            fields["version"] = int(about.version)
        else:
            losses.append(Loss(LossKind.LOST, f"enclawed counts versions: `{about.version}` is not said"))
    if about and about.classification:
        fields["label"] = _label(about)
        if about.classification.label != str(about.classification.rank):
            losses.append(
                Loss(LossKind.LOST, f"enclawed has ranks only: the label `{about.classification.label}` is not said")
            )
    fields["caps"] = [token.render() for token in tokens]
    if manifest.verification is not Verification.UNVERIFIED:
        fields["verification"] = str(manifest.verification)
    return fields, losses


def _label(about: Metadata) -> dict[str, Any]:
    found = about.classification
    assert found is not None
    sets = {"compartments": list(found.compartments), "releasability": list(found.releasability)}
    return {"level": found.rank} | {name: values for name, values in sets.items() if values}
