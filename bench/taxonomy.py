"""Does the vocabulary have a word for what skills are told to do? Counts instructions that name a resource.

bench/taxonomy.py [FOLDER…] [--skills N] [--list N]

Without a folder, REMIT_CORPUS names one. An instruction is a verb that is asked for (not negated, quoted or in a section of
warnings) with a thing outside of the conversation as its object. It is mapped if a rule of the lexicon reads a capability from
it, or the thing is of a kind that a capability speaks of (bench/data/resources.table). The others are listed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from pathlib import Path

from remit.core.capability import vocabulary
from remit.core.errors import RemitError
from remit.core.table import read_table
from remit.skill.find import find_skills
from remit.skill.load import load_skill
from remit.skill.prose.context import negated, quoted, section_worth, verb_worth
from remit.skill.prose.lexicon import forms_of, lexicon
from remit.skill.prose.reader import asked, ends_object, singular
from remit.skill.prose.sentences import sentences
from remit.skill.prose.spans import Bundled

RESOURCES = Path(__file__).with_name("data") / "resources.table"
# What can be done to a resource, besides the verbs of the lexicon
VERBS = """access activate adjust allocate annotate attach authorize block book boot bookmark broadcast buy calibrate cancel close
compile connect control disconnect dim dispense eject enable encrypt enroll erase flash format grant hash index initialize
invite join label link list lock mark mirror mount move mute notarize order organize pair park pause pin ping play plug poll
print provision publish rank reboot redirect refresh register reject release reload rename render request reserve reset resize
restart restore resume revoke ring route schedule seed select share sign silence sort stream subscribe suspend switch sync
tail toggle track transfer translate trigger turn unlock unmount unsubscribe upload validate vote watch wake""".split()


def table() -> dict[str, str]:
    out: dict[str, str] = {}
    for row in read_table(RESOURCES, 2):
        for noun in row.cells[0].split():
            out.setdefault(noun, row.cells[1])
    unknown = {name for name in out.values() if name and name not in vocabulary()}
    assert not unknown, unknown
    return out


def resource(words: tuple[str, ...], start: int, known: dict[str, str]) -> str:
    """The head of the object right after a verb, if it is a resource."""
    for at in range(start, min(len(words), start + 6)):
        if not words[at][0].isalpha() or (at > start and ends_object(words, at, "make")):
            return ""
        pair = f"{words[at]}_{singular(words[at + 1])}" if at + 1 < len(words) else ""
        for noun in (pair, singular(words[at])):
            if noun in known:
                return noun
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=[os.environ.get("REMIT_CORPUS", "")])
    parser.add_argument("--skills", type=int, default=300)
    parser.add_argument("--list", type=int, default=60, help="unmapped instructions that are shown")
    options = parser.parse_args()
    found = sorted({path for folder in options.folders if folder for path in find_skills(Path(folder))})
    random.Random(1).shuffle(found)
    known, lexic = table(), lexicon()
    verbs = {form for verb in VERBS for form in (verb, *forms_of(verb))} | set(lexic.forms)
    mapped = total = read = 0
    kinds: Counter[str] = Counter()
    unmapped: list[tuple[str, int, str, str]] = []
    for folder in found:
        if read == options.skills:
            break
        try:
            skill = load_skill(folder)
        except RemitError:
            continue
        read += 1
        main_document = next(document for document in skill.documents if document.path == skill.main)
        for sentence in sentences(main_document, Bundled(skill)):
            if sentence.place != "about" and section_worth(sentence.heading) < 2:
                continue
            ruled = {clue.capability for clue in asked(sentence)}
            for at, word in enumerate(sentence.words):
                if word not in verbs or not verb_worth(sentence, at, "base"):
                    continue
                noun = resource(sentence.words, at + 1, known)
                if not noun or negated(sentence.words, at) or quoted(sentence.words, at):
                    continue
                total += 1
                if ruled or known[noun]:
                    mapped += 1
                    kinds[known[noun].partition(".")[0] or "rule"] += 1
                else:
                    unmapped.append((skill.name, sentence.line, f"{word} {noun}", sentence.text[:110]))
    if not total:
        print("no skills; give a folder or set REMIT_CORPUS", file=sys.stderr)
        return 2
    for name, line, what, text in unmapped[: options.list]:
        print(f"unmapped  {name}:{line}  {what}: {text}")
    print(", ".join(f"{name} {count}" for name, count in kinds.most_common()))
    print(
        f"{read} skills, {total} instructions that name a resource, {mapped} mapped to a capability ({mapped / total:.2%})\n"
        "SkillGuard (315 other skills, read by people): 99.76 % of protected objects"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
