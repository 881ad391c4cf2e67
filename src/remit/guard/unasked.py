"""Files that a call on behalf of a skill would leave in the workspace though the user only asked a question: reasons to ask.

`Which version of Node is this?` is answered in words. Only plain cases count: every prompt begins as a question does, and no word of it
asks for something that is made, changed, run or kept. Programs are no answer: an agent may write one to find it out.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from remit.guard.meant import asks_for_work
from remit.guard.replacing import written
from remit.skill.classify import by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remit.guard.drafting import Drafted
    from remit.guard.session import Live

_SHOWN = 3
_PROGRAMS = frozenset({"python", "shell", "javascript", "typescript"})
_QUESTION = re.compile(
    r"""(?ix) ^ \s* (?: (?: please | hi | hello | hey | so | and | ok ) [,!]? \s+ | (?: can | could | would ) \s+ you \s+ (?: please \s+ )? | i'?m \s [^,.]*,\s* )*
    (?: tell | show | list | check | count | describe | explain | find \s+ out | give \s+ me | let \s+ me \s+ know
      | what | which | who | whose | when | where | why | how | is | are | do | does | did | has | have ) \b"""
)
# Words beside verbs of making and changing by which something may be wanted that is kept
_KEPT = re.compile(
    r"""(?ix) \b (?: convert | export | extract | merge | plot | chart | summari[sz]e | visuali[sz]e | run | test | send | reply | post | publish | upload | submit | share | book | order | pay | copy | deploy | commit | push | download | fetch
      | files? | documents? | spreadsheets? | sheets? | slides? | presentations? | reports? | logs? | scripts? | pages? | pdfs? ) \b"""
)


def unasked(live: Live, drafted: Drafted, whose: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at the files that a call would leave."""
    if not whose or not only_asks(live.prompts):
        return ()
    root = str(live.workspace.root)
    found = [
        f"`{os.path.relpath(path, root)}`"
        for path in dict.fromkeys(written(drafted.requests))
        if path.startswith(f"{root}/")
        and path not in live.given
        and not _is_program(path)
        and not os.path.lexists(path)
    ]
    return (f"it would leave {', '.join(found[:_SHOWN])}, and the user only asked a question",) if found else ()


def only_asks(prompts: Sequence[str]) -> bool:
    """Whether all that the user said are questions that words answer."""
    return bool(prompts) and all(
        _QUESTION.match(prompt) and not _KEPT.search(prompt) and not asks_for_work(prompt) for prompt in prompts
    )


def _is_program(path: str) -> bool:
    kind = by_name(path.rpartition("/")[2])
    return kind is not None and kind.name in _PROGRAMS
