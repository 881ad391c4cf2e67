"""Npm packages: what their subpaths and clients do beyond values is said, and what goes in comes out."""

from __future__ import annotations

import pytest

from each_row import each_row
from remit.analysis.summaries.library import Library
from remit.analysis.summaries.model import Entry

# Package or class, member, and a capability or kind of effect among its lines.
EFFECTFUL = [
    ("rxjs.Ajax", "getJSON", "web.fetch"),
    ("rxjs/fetch", "fromFetch", "web.post"),
    ("rxjs/webSocket", "webSocket", "net.connect"),
    ("typescript.System", "writeFile", "file.write"),
    ("typescript.Program", "emit", "file.write"),
    ("esbuild", "transform", "process.create"),
    ("@eslint/eslintrc", "FlatCompat", "opaque"),
    ("prettier", "format", "opaque"),
    ("tailwindcss", "default", "opaque"),
    ("nock", "back", "file.write"),
    ("tap", "spawn", "opaque"),
    ("tiktoken/load", "load", "web.fetch"),
    ("@elevenlabs/elevenlabs-js", "play", "process.create"),
    ("@slack/web-api.Files", "uploadV2", "file.read"),
    ("@actions/core", "saveState", "file.write"),
    ("@larksuiteoapi/node-sdk.Value", "writeFile", "file.write"),
    ("@google-cloud/storage.Storage", "download", "file.write"),
    ("discord.Value", "send", "file.read"),
    ("telegraf.Value", "replyWithPhoto", "file.read"),
    ("ollama.Client", "chat", "file.read"),
    ("ethers.Provider", "broadcastTransaction", "pay"),
    ("@solana/spl-token", "approve", "pay"),
    ("nostr-tools.Fetching", "queryProfile", "web.post"),
]

CARRIERS = ["clone", "deepmerge", "immer", "immutable", "object-path", "redux", "tslib", "mitt"]


@pytest.fixture(scope="module")
def library() -> Library:
    """One library for all questions."""
    return Library("js")


def effects(library: Library, owner: str, name: str) -> set[str]:
    """The capabilities and kinds of a member's lines."""
    library.module(owner)
    found = library.member(owner, name)
    assert isinstance(found, Entry)
    return {effect.text if effect.kind == "cap" else effect.kind for effect in found.effects}


@each_row(("owner", "name", "expected"), EFFECTFUL)
def test_effects_of_packages_are_reported(library: Library, owner: str, name: str, expected: str) -> None:
    assert expected in effects(library, owner, name)


@each_row("package", CARRIERS)
def test_what_goes_in_comes_out(library: Library, package: str) -> None:
    found = library.member(package, "anything")
    assert isinstance(found, Entry)
    assert found.result is not None
    assert "any" in {found.result.op, *(arg.op for arg in found.result.args)}


@each_row(("owner", "name"), [("date-fns", "format"), ("uuid", "v4"), ("semver", "satisfies"), ("rxjs", "map")])
def test_values_stay_without_effect(library: Library, owner: str, name: str) -> None:
    assert effects(library, owner, name) == set()
