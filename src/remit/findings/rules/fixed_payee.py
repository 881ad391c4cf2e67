"""Money or commission of the user goes to an account that the code names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.pieces import scripts

if TYPE_CHECKING:
    from remit.findings.subject import Subject

# An account number begins with its country, and is as long as that country has it.
_LENGTHS = {
    **dict.fromkeys("NO".split(), 15),
    **dict.fromkeys("BE".split(), 16),
    **dict.fromkeys("DK FI NL FO GL".split(), 18),
    **dict.fromkeys("MK SI".split(), 19),
    **dict.fromkeys("AT BA EE KZ LT LU XK".split(), 20),
    **dict.fromkeys("HR LI LV CH CR".split(), 21),
    **dict.fromkeys("BG BH DE GB GE IE ME RS VA".split(), 22),
    **dict.fromkeys("AE GI IL IQ TL".split(), 23),
    **dict.fromkeys("AD CZ ES MD PK RO SA SE SK TN VG".split(), 24),
    **dict.fromkeys("PT ST".split(), 25),
    **dict.fromkeys("IS TR".split(), 26),
    **dict.fromkeys("FR GR IT MC MR SM".split(), 27),
    **dict.fromkeys("AL AZ CY DO GT HU LB PL BY SV".split(), 28),
    **dict.fromkeys("BR PS QA UA".split(), 29),
    **dict.fromkeys("JO KW MU".split(), 30),
    **dict.fromkeys("MT SC".split(), 31),
}
_IBAN = lazy_pattern(r"[\"'`]([A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30})[\"'`]")
_ACCOUNT = lazy_pattern(r"\b(?:iban|creditor|payee|beneficiary|bank_?account|account_?number)\b", re.IGNORECASE)
_TAG = lazy_pattern(r"[\"'`=](?=[a-z0-9]*[a-z])([a-z0-9]{3,20}-2[0-3])[\"'`&]")
_SHOPS = ("amazon", "amzn", "affiliate", "awin", "campid", "partner")
_TAKES = lazy_pattern(r"\btag\b|affil|partner", re.IGNORECASE)


def find(subject: Subject) -> Iterator[Finding]:
    """Account numbers and affiliate tags in scripts that no text of the skill has."""
    for file, code in scripts(subject):
        lines = code.lines
        pays = (
            code.has("iban", "creditor", "payee", "beneficiary", "account") and _ACCOUNT.search(code.text) is not None
        )
        links = code.has(*_SHOPS) and _TAKES.search(code.text) is not None
        for at, line in lines.items() if pays or links else ():
            payee = next((found[1] for found in _IBAN.finditer(line) if _is_account(found[1])), "") if pays else ""
            what = "your payments" if payee else ""
            if not what and links and (found := _TAG.search(line)):
                payee, what = found[1], "commission of your links"
            if what and payee.lower() not in subject.written:
                where = Location(file, at)
                message = f"sends {what} to an account that the author of the skill has fixed"
                yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)._replace(
                    basis=subject.basis(where)
                )
                break


def _is_account(text: str) -> bool:
    plain = text.replace(" ", "")
    return _LENGTHS.get(plain[:2]) == len(plain)


RULE = Rule(
    "fixed-payee",
    "deception",
    "the user's money goes to an account in the code",
    Severity.HIGH,
    "An account number or affiliate tag in the code belongs to the author: money goes there instead of where the user wants it.",
    "Numbers that the text of the skill shows, samples and tests.",
    "Take the account from the user's data.",
    find,
)
