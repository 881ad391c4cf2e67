"""Deliberate bugs of the dispatch that runs, as changes of its source text: a file, what is there, and what is there instead."""

from pathlib import Path

import remit

ROOT = Path(remit.__file__).parent
SEAL, PERMIT, PROJECTOR, JUDGE, REQUEST = (
    "core/seal.py", "policy/permit.py", "policy/projector.py", "policy/judge.py", "policy/request.py"
)  # fmt: skip

MUTANTS = {
    # a class that others may inherit from
    "Permit is not final": (PERMIT, "@final\nclass Permit", "class Permit"),
    "Grant is not final": (PERMIT, "@final\nclass Grant", "class Grant"),
    "Projector is not final": (PROJECTOR, "@final\nclass Projector", "class Projector"),
    "Considered is not final": (PROJECTOR, "@final\nclass Considered", "class Considered"),
    "Approval is not final": (PROJECTOR, "@final\nclass Approval", "class Approval"),
    # a type that is wider
    "any request is considered": (PROJECTOR, "consider(self, request: Request", "consider(self, request: object"),
    "no request is considered": (PROJECTOR, "consider(self, request: Request", "consider(self, request: Request | None"),
    "any answer counts": (PROJECTOR, "answer: Approval | None) -> Considered", "answer: object) -> Considered"),
    "any answer is given": (PROJECTOR, "answer: Approval | None = None\n", "answer: object = None\n"),
    "any answer is compared": (PROJECTOR, "ask: Ask, answer: Approval)", "ask: Ask, answer: object)"),
    "the subject of an approval is anything": (PROJECTOR, "subject: str", "subject: object"),
    "a permit in question is anything": (PROJECTOR, "permit: Permit | None\n", "permit: object\n"),
    "a judgement is anything": (PROJECTOR, "judgement: Judgement\n", "judgement: object\n"),
    "the projector gives anything": (PROJECTOR, ") -> Permit | Refusal:", ") -> object:"),
    "the projector may give nothing": (PROJECTOR, ") -> Permit | Refusal:", ") -> Permit | Refusal | None:"),
    "issuing gives anything": (PROJECTOR, "issue: Callable[[Grant], Permit],", "issue: Callable[[Grant], object],"),
    "the policy is anything": (PROJECTOR, "    policy: SkillPolicy\n\n", "    policy: object\n\n"),
    "a grant is for any request": (PERMIT, "    request: Request\n", "    request: object\n"),
    "a grant is of any member": (PERMIT, "    member: int  #", "    member: object  #"),
    "a grant is for any skill": (PERMIT, "    skill: str\n    member", "    skill: object\n    member"),
    "uses are anything": (PERMIT, "    uses: tuple[int, ...]\n", "    uses: object\n"),
    "redact is anything": (PERMIT, "    redact: bool\n", "    redact: object\n"),
    "a permit speaks of any request": (PERMIT, "def request(self) -> Request:", "def request(self) -> object:"),
    "a permit speaks of any member": (PERMIT, "def member(self) -> int:", "def member(self) -> object:"),
    "a permit speaks of any skill": (PERMIT, "def skill(self) -> str:", "def skill(self) -> object:"),
    "a permit has any digest": (PERMIT, "def digest(self) -> str:", "def digest(self) -> object:"),
    "a copy is given": (SEAL, "def __copy__(self) -> NoReturn:", "def __copy__(self) -> object:"),
    "what a kind holds is anything": (SEAL, "WeakKeyDictionary[Kind, Held]", "WeakKeyDictionary[object, object]"),
    "whoever claims gets anything": (SEAL, "Callable[[], Callable[[Held], Kind]]]:", "Callable[[], object]]:"),
    "a method without types": (PROJECTOR, "def members(self) -> int:", "def members(self):"),
    # what type checkers do not look at
    "a cast": (PROJECTOR, "        return Considered(judgement, issue(grant))", "        return cast('Considered', issue(grant))"),
    "a cast that is imported": (PROJECTOR, "NamedTuple, final\n", "NamedTuple, cast, final\n"),
    "an ignored error": (PROJECTOR, "            return permit\n", "            return judgement  # type: ignore[return-value]\n"),
    "a file that is ignored": (PROJECTOR, "from __future__", "# mypy: ignore-errors\nfrom __future__"),
    "an order to the other checker": (PROJECTOR, "            return permit\n", "            return permit  # ty: ignore\n"),
    "Any in a parameter": (PROJECTOR, "consider(self, request: Request", "consider(self, request: Any"),
    "a value that is Any": (PERMIT, "_held, claim_issuing", "made: Any = None\n_held, claim_issuing"),
    "what checkers see is not what runs": (PROJECTOR, "_project = _maker", "if not TYPE_CHECKING:\n    Permit = object\n_project = _maker"),
    "another import for checkers": (PERMIT, "    from remit.policy.request import Request\n", "    from remit.policy.request import Request\nelse:\n    Request = object\n"),
    "an attribute by its name": (PROJECTOR, "return self.policy.members", "return getattr(self.policy, 'members')"),
    "setattr around a seal": (SEAL, "        issued[one] = holds\n", "        object.__setattr__(one, 'holds', holds)\n        issued[one] = holds\n"),
    "code that is evaluated": (PROJECTOR, "return self.policy.members", "return eval('self.policy.members')"),
    "a class that is changed": (SEAL, "        issued[one] = holds\n", "        one.__class__ = kind\n        issued[one] = holds\n"),
    "isinstance has another meaning": (PROJECTOR, "_project = _maker", "isinstance = lambda *_: False\n_project = _maker"),
    "a loader of modules": (PROJECTOR, "import math\n", "import importlib\nimport math\n"),
    # a second maker
    "a second maker": (PROJECTOR, "_project = _maker(claim_issuing())", "_issue = claim_issuing()\n_project = _maker(_issue)"),
    "a maker beside": (PROJECTOR, "_project = _maker(claim_issuing())", "_project = _maker(claim_issuing())\n_other = _maker(claim_issuing())"),
    "the right has another name": (PROJECTOR, "_project = _maker", "right = claim_issuing\n_project = _maker"),
    "a permit for a refusal": (PROJECTOR, "            return Considered(judgement, None)\n        grant", "            return Considered(judgement, issue(Grant(policy.skill, 0, request, (), False)))\n        grant"),
    "a second registry": (PERMIT, "_held, claim_issuing = registry(Permit, Grant)", "_held, claim_issuing = registry(Permit, Grant)\n_more, claim_more = registry(Permit, Grant)"),
    "an object beside the registry": (SEAL, "    def claim()", "    object.__new__(kind)\n\n    def claim()"),
    "the judge takes the right": (JUDGE, "from remit.policy.limits", "from remit.policy.permit import claim_issuing\nfrom remit.policy.limits"),
    "the guard takes the right": ("guard/engine.py", "from __future__ import annotations\n", "from __future__ import annotations\nfrom remit.policy.permit import claim_issuing\n"),
    # what the projector forgets; types say what becomes of each outcome
    "a permit without a grant": (PROJECTOR, "issue(grant)", "issue(judgement)"),
    "a permit for another request": (PROJECTOR, "judgement.member, request, judgement.uses", "judgement.member, policy, judgement.uses"),
    "a denial is not looked at": (PROJECTOR, "        if isinstance(judgement, Deny):\n            return Considered(judgement, None)\n        if", "        if"),
    "an ask is given as a permit": (PROJECTOR, "            return permit\n", "            return judgement\n"),
    # what stands around it
    "the judge says anything": (JUDGE, "situation: Situation) -> Judgement:", "situation: Situation) -> object:"),
    "a denial has a member": (JUDGE, "    code: str\n    reason: str\n", "    code: str\n    reason: str\n    member: int = 0\n    uses: tuple[int, ...] = ()\n    redact: bool = False\n"),
    "a judgement is one thing more": (JUDGE, '"Allow | Ask | Deny"', '"Allow | Ask | Deny | None"'),
    "what was judged is anything": ("policy/judgement_cache.py", "situation: Situation) -> Judgement:", "situation: Situation) -> Any:"),
    # the doors
    "the capsule starts without a permit": ("capsule/launch.py", "def run_in_capsule(permit: Permit,", "def run_in_capsule(permit: object,"),
    "the capsule starts with or without": ("capsule/launch.py", "def run_in_capsule(permit: Permit,", "def run_in_capsule(permit: Permit | None,"),
    "the capsule wants no permit": ("capsule/launch.py", "def run_in_capsule(permit: Permit, prepared", "def run_in_capsule(prepared"),
    "a program is confined without a permit": ("capsule/run.py", "def run_confined(permit: Permit,", "def run_confined(permit: object,"),
    "a capsule is prepared for a request": ("capsule/prepare.py", "def prepare(permit: Permit,", "def prepare(permit: Permit | Request,"),
    "a proxy starts for a grant": ("capsule/outlet.py", "def start_proxy(permit: Permit,", "def start_proxy(permit: Grant,"),
    "a door is decorated": ("capsule/launch.py", "def run_in_capsule(", "@opened\ndef run_in_capsule("),
    "a door is bound again": ("capsule/run.py", "def run_confined(", "run_confined = None\n\n\ndef run_confined("),
    "a door is defined twice": ("capsule/run.py", "def run_confined(", "def run_confined(permit: Permit, more: object) -> object: ...\n\n\ndef run_confined("),
    "another class is called Permit": ("capsule/launch.py", "from remit.policy.permit import Permit", "from remit.policy.request import Request as Permit"),
    "a class of its own is called Permit": ("capsule/run.py", "def run_confined(", "class Permit: ...\n\n\ndef run_confined("),
    "places are made without a permit": ("capsule/contract_places.py", "def make_missing(permit: Permit,", "def make_missing(permit: object,"),
}  # fmt: skip


# those that a checker finds by the same rule as another one here
ALIKE = {
    "Grant is not final", "Projector is not final", "Considered is not final", "Approval is not final",
    "no request is considered", "any answer is given", "any answer is compared", "the subject of an approval is anything",
    "a permit in question is anything", "a judgement is anything", "issuing gives anything", "a grant is of any member",
    "a grant is for any skill", "uses are anything", "redact is anything", "a permit speaks of any member",
    "a permit speaks of any skill", "a permit has any digest", "whoever claims gets anything", "a judgement is one thing more",
    "what was judged is anything", "the capsule starts with or without", "a capsule is prepared for a request",
    "a proxy starts for a grant",
}  # fmt: skip


def mutated(name):
    """The changed file: its name and its text."""
    file, old, new = MUTANTS[name]
    text = (ROOT / file).read_text("utf-8")
    assert text.count(old) >= 1, name
    return {file: text.replace(old, new, 1)}
