"""The label: what it says, its badge, and how a bundle that carries one is verified."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from bundle_values import DECLARED, NOW, ROOT, UNVERIFIED, analysed, codes_of, looked, make, never, write_skill
from trust_values import key

from remit.bundle.admit import Inputs, admit
from remit.bundle.canonical import written
from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope, sign
from remit.bundle.label import false_claims, label_value
from remit.bundle.snapshot import ATTEST, LABEL
from remit.bundle.statement import read_statement
from remit.core.digest import bytes_digest
from remit.core.effect import Unread
from remit.core.location import Location
from remit.findings.model import Finding, Severity
from remit.report.badge import badge


@pytest.fixture
def folder(tmp_path):
    return write_skill(tmp_path / "demo")


def label_of(folder):
    held, content = looked(folder)
    found = analysed(folder, content)
    return label_value(found.effects, found.findings, held.content)


def resigned(folder, change, *, analyser=None):
    """Admission of the bundle with another label, signed again by its author; `analyser`: it was made by another version."""
    make(folder)
    held, content = looked(folder)
    label = json.loads(held.evidence[LABEL])
    change(label)
    said = read_statement(read_envelope(held.evidence[ATTEST]).payload)
    evidence = dict(held.evidence) | {LABEL: written(label)}
    toolchain = dict(said.toolchain)
    if analyser:
        static = json.loads(evidence["static.json"])
        static["analyser"] |= analyser
        evidence["static.json"] = written(static)
        toolchain["analyser"] = static["analyser"]
    digests = {name: bytes_digest(evidence[name]) for name in said.evidence}
    said = said._replace(evidence=digests, toolchain=toolchain)
    evidence[ATTEST] = render_envelope(sign(IN_TOTO, said.payload(), [key(1)]))
    given = Inputs(
        held._replace(evidence=evidence), ROOT, NOW, lambda *_: None, lambda: analysed(folder, content), never
    )
    return admit(given)


def drop(label):
    label["guarantees"].pop()


def claim_more(label):
    label["guarantees"].append(
        {"id": "no-network", "about": "code", "text": "never uses the network", "conditions": []}
    )


OTHER = {"version": "9.9.9"}


def test_the_bundle_carries_the_label_and_it_is_verified(folder):
    make(folder)
    label = json.loads((folder / "evidence" / LABEL).read_bytes())
    assert label == label_of(folder)
    answer = resigned(folder, dict)
    assert (answer.level, answer.reasons) == (DECLARED, ())
    assert "guarantees hold" in next(step.detail for step in answer.steps if step.number == 6)


def test_a_bundle_without_a_label_stays_valid(folder):
    make(folder)
    held, content = looked(folder)
    evidence = {name: data for name, data in held.evidence.items() if name != LABEL}
    said = read_statement(read_envelope(held.evidence[ATTEST]).payload)
    said = said._replace(evidence={name: digest for name, digest in said.evidence.items() if name != LABEL})
    evidence[ATTEST] = render_envelope(sign(IN_TOTO, said.payload(), [key(1)]))
    given = Inputs(
        held._replace(evidence=evidence), ROOT, NOW, lambda *_: None, lambda: analysed(folder, content), never
    )
    assert admit(given).level is DECLARED


def test_a_label_that_was_changed_after_signing_is_not_the_one_that_was_attested(folder):
    make(folder)
    path = folder / "evidence" / LABEL
    path.write_bytes(path.read_bytes().replace(b'"clear"', b'"block"'))
    held, content = looked(folder)
    answer = admit(Inputs(held, ROOT, NOW, lambda *_: None, lambda: analysed(folder, content), never))
    assert (codes_of(answer), answer.level) == ({"evidence-changed"}, UNVERIFIED)


@pytest.mark.parametrize("analyser", [None, OTHER])
def test_a_guarantee_that_does_not_hold_is_refused_whoever_made_the_label(folder, analyser):
    answer = resigned(folder, claim_more, analyser=analyser)
    assert answer.refused
    assert codes_of(answer) == {"guarantee-false"}
    assert "its code never uses the network" in answer.reasons[0].detail


def test_a_guarantee_without_its_condition_is_another_one(folder):
    def bare(label):
        label["guarantees"][0]["conditions"] = []

    (folder / "scripts/more.sh").write_text("pip install acme\n")
    (folder / "remit.json").write_text(
        (folder / "remit.json").read_text().replace('"permissions": [', '"permissions": [{"capability": "*"},')
    )
    label = label_of(folder)
    assert label["guarantees"][0]["conditions"]
    own = json.loads(json.dumps(label))
    bare(label)
    assert list(false_claims(label, own)) == ["its code reads no secrets"]
    assert not list(false_claims(own, label))  # more conditions than are needed claim less


def test_a_guarantee_that_was_dropped_differs_by_the_same_analyser_and_is_fine_by_another(folder):
    assert codes_of(resigned(folder, drop)) == {"label-json-differs"}


def test_a_dropped_guarantee_of_another_analyser(folder):
    answer = resigned(folder, drop, analyser=OTHER)
    assert (answer.level, answer.reasons) == (DECLARED, ())


def test_a_better_level_than_is_found_here(folder):
    assert codes_of(resigned(folder, lambda label: label.update(level="review"))) == {"label-json-differs"}


def test_a_label_of_other_files(folder):
    answer = resigned(folder, lambda label: label.update(content="sha256:" + "0" * 64), analyser=OTHER)
    assert codes_of(answer) == {"label-json-differs"}


def test_a_label_that_is_none(folder):
    assert codes_of(resigned(folder, lambda label: label.update(extra=1))) == {"label-json-malformed"}


# ── the badge ──


def test_the_badge_is_small_accessible_and_always_the_same(folder):
    label = label_of(folder)
    svg = badge(label)
    assert svg == badge(json.loads(json.dumps(label)))
    root = ET.fromstring(svg)
    assert (root.get("height"), root.get("role")) == ("20", "img")
    title, desc = root[0], root[1]
    assert title.tag.endswith("title")
    assert title.text == "demo: no concerns \u00b7 code: no secrets, no deletes"
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert "Its code deletes no files." in desc.text
    assert label["content"] in desc.text


def test_the_badge_of_a_skill_that_should_not_be_installed(folder):
    held, content = looked(folder)
    finding = Finding("x", Severity.CRITICAL, "bad", ())
    label = label_value(analysed(folder, content).effects, [finding], held.content)
    assert label["findings"]["critical"] == 1
    assert "do not install" in badge(label)
    assert "no secrets" not in ET.fromstring(badge(label))[0].text


def test_a_name_cannot_break_out_of_the_badge(folder):
    held, content = looked(folder)
    effects = replace(
        analysed(folder, content).effects, skill='"/><script>\x07\u202e&', unread=(Unread("x", Location("a")),)
    )
    root = ET.fromstring(badge(label_value(effects, (), held.content)))
    assert not [one for one in root.iter() if one.tag.endswith("script")]
    assert "1 sentence" in root[1].text
