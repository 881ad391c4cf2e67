"""A drafted denial of what is only shown grants nothing, and takes nothing from the workspace; every other denial stays."""

import json

from remit.guard.session.drafted_denials import without_drafted_denials
from remit.manifest.identity import entry_digest
from remit.manifest.model import SHOWN, Manifest
from remit.manifest.read import parse_manifest


def manifest(*entries, drafted=True):
    text = json.dumps({"permissions": list(entries)})
    made = parse_manifest(text.encode(), "remit.json")
    marks = tuple(entry_digest(entry) for entry in made.permissions) if drafted else ()
    return Manifest("remit.json", made.permissions, drafted=marks)


def denied(capability, scope="./**", why=SHOWN):
    return {"capability": capability, "scope": scope, "effect": "deny", "fallback_msg": why}


def names(found):
    return [entry.capability for entry in found.permissions]


def test_what_is_only_shown_is_no_prohibition():
    assert names(without_drafted_denials(manifest(denied("file.read")))) == []


def test_a_person_s_denial_stays():
    assert names(without_drafted_denials(manifest(denied("file.read"), drafted=False))) == ["file.read"]
    assert names(without_drafted_denials(manifest(denied("file.read", why="not here")))) == ["file.read"]


def test_a_suspicious_place_stays_denied():
    assert names(without_drafted_denials(manifest(denied("commit.push", "*", "asked for in a suspicious place")))) == [
        "commit.push"
    ]


def test_a_denial_that_cuts_out_of_a_grant_stays():
    wide = {"capability": "source.read", "scope": "./**", "effect": "allow"}
    assert names(without_drafted_denials(manifest(wide, denied("file.read", "./keys/**")))) == [
        "source.read",
        "file.read",
    ]
    narrow = wide | {"scope": "./src/**"}
    assert names(without_drafted_denials(manifest(narrow, denied("file.read", "./keys/**")))) == ["source.read"]


def test_a_drafted_question_about_a_package_is_left_to_the_rules_and_a_person_s_stays():
    asks = {"capability": "package.install", "scope": "left-pad", "effect": "confirm"}
    assert names(without_drafted_denials(manifest(asks))) == []
    assert names(without_drafted_denials(manifest(asks, drafted=False))) == ["package.install"]
    assert names(without_drafted_denials(manifest(asks | {"effect": "allow"}))) == ["package.install"]


def test_a_drafted_question_about_any_file_is_left_to_the_rules_and_one_about_a_folder_stays():
    asks = {"capability": "file.write", "effect": "confirm"}
    assert names(without_drafted_denials(manifest(asks))) == []
    assert names(without_drafted_denials(manifest(asks, drafted=False))) == ["file.write"]
    assert names(without_drafted_denials(manifest(asks | {"scope": "./out/**"}))) == ["file.write"]
