"""Two skills that work together: what one may do is of no use to the other."""

import json
import shutil

import pytest
from attack_parts import LEVEL, edit, projector

from remit.manifest.model import Verification
from remit.policy.permit import Permit
from remit.policy.projector import Approval
from remit.policy.refusal import Refusal
from remit.policy.request import Envelope

PAYS = {
    "skill_metadata": {"name": "payer", "version": "1"},
    "verification": "declared",
    "permissions": [
        {"capability": "pay", "scope": "..100", "effect": "allow"},
        {"capability": "file.read", "scope": "./.cache/**", "effect": "confirm"},
    ],
}
PAYMENT = Envelope("pay", {"target": "20"}, "the other skill may")
READING = Envelope("file.read", {"target": "./.cache/news.html"})
FETCHING = Envelope("web.fetch", {"target": "news.example.com:443"})


@pytest.fixture
def payer(tmp_path):
    """A skill that may pay, and may read what the other keeps if a person agrees."""
    folder = tmp_path / "payer"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: payer\ndescription: Pays small sums.\n---\n# Payer\n")
    (folder / "remit.json").write_text(json.dumps(PAYS))
    return folder


def test_each_may_do_what_its_own_manifest_grants_and_nothing_of_the_other(author, payer):
    fetcher, other = projector(author.skill), projector(payer)
    assert isinstance(other.project(PAYMENT), Permit)
    assert isinstance(fetcher.project(FETCHING), Permit)
    assert isinstance(fetcher.project(PAYMENT), Refusal)
    assert isinstance(other.project(FETCHING), Refusal)


def test_a_permit_names_the_skill_that_it_was_issued_to(author, payer):
    permit = projector(payer).project(PAYMENT)
    assert isinstance(permit, Permit)
    assert (permit.skill, permit.request.capability) == ("payer", "pay")
    assert projector(author.skill).project(FETCHING).skill == "summarise-fetched-html"


def test_what_a_person_agreed_to_for_one_skill_is_no_answer_for_the_other(author, payer):
    edit(author.skill / "remit.json", '"./.cache/**", "effect": "allow"},', '"./.cache/**", "effect": "confirm"},')
    asked = {name: projector(skill).project(READING) for name, skill in (("a", author.skill), ("b", payer))}
    answers = {name: Approval(refusal.question.digest) for name, refusal in asked.items()}
    assert isinstance(projector(author.skill).project(READING, answer=answers["a"]), Permit)
    assert isinstance(projector(payer).project(READING, answer=answers["b"]), Permit)
    assert projector(author.skill).project(READING, answer=answers["b"]).code == "other-answer"
    assert projector(payer).project(READING, answer=answers["a"]).code == "other-answer"


def test_a_high_level_of_one_skill_raises_nothing_of_the_other(author, payer):
    low = projector(payer, Verification.DECLARED).project(PAYMENT)
    assert isinstance(low, Refusal)
    assert low.code == "must-ask"
    assert isinstance(projector(author.skill, Verification.FORMAL).project(PAYMENT), Refusal)


def test_the_bundle_of_one_skill_proves_nothing_of_the_other(author, payer):
    shutil.copytree(author.skill / "evidence", payer / "evidence")
    found = author.verified(payer)
    assert (found.status, found.level) == (1, "unverified")
    assert author.verified().level == LEVEL


def test_a_manifest_of_one_skill_in_the_folder_of_the_other_is_not_what_was_signed(author, payer):
    shutil.copy(payer / "remit.json", author.skill / "remit.json")
    assert author.verified().level == "unverified"
