"""Scripts of public skills on real inputs, without walls and inside of them: how many work unchanged.

bench/walls_at_work.py CORPUS [--python PATH]
CORPUS holds checkouts of public skills, PATH is a Python with the packages that they import. Each command runs three times on copies of the
same inputs: twice by bash and once by bash inside of the walls of that skill with a drafted manifest, which a person trusts. It works unchanged if status,
output and files are the same (but for numbers of objects in memory and times); where the two runs without walls differ, status and names of files. A command that fails without walls because a
package or program is missing is counted apart. Exit status 1 if one works otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard/walls"))

from walled import Walled

from remit.cli.main import main as remit

INPUTS = r"""
from reportlab.pdfgen import canvas
c = canvas.Canvas("form.pdf"); c.drawString(72, 720, "Name: ____"); c.acroForm.textfield(name="name", x=120, y=710, width=200, height=20); c.save()
import docx; d = docx.Document(); d.add_heading("Report"); d.add_paragraph("Text of a report."); d.save("report.docx")
import openpyxl; w = openpyxl.Workbook(); w.active["A1"] = 1; w.active["A2"] = "=A1*2"; w.save("table.xlsx")
import pptx; p = pptx.Presentation(); p.slides.add_slide(p.slide_layouts[0]).shapes.title.text = "Title"; p.save("deck.pptx")
import json; json.dump([{"field_id": "name", "description": "x", "page": 1, "value": "Ann"}], open("values.json", "w"))
json.dump({"pages": [{"page_number": 1, "image_width": 612, "image_height": 792}], "form_fields": [{"page_number": 1, "description": "n",
  "field_label": "Name", "label_bounding_box": [72, 60, 110, 80], "entry_bounding_box": [120, 60, 320, 80], "entry_text": {"text": "Ann", "font_size": 10}}]}, open("fields.json", "w"))
import os; os.makedirs("mine"); open("mine/SKILL.md", "w").write("---\nname: mine\ndescription: Does what I want. Use it when I say so.\n---\n# Mine\nText.\n")
open("page.html", "w").write("<h1>hello</h1>")
open("data.csv", "w").write("a,b\n1,2\n3,4\n")
open("notes.md", "w").write("# Notes\n\nSome text with a [link](https://example.com).\n")
open("refs.bib", "w").write("@article{a, title={T}, author={A, B}, journal={J}, year={2020}, doi={10.1000/1}}\n")
"""
A, K, T, P = (
    "anthropics+skills/skills",
    "K-Dense-AI+claude-scientific-skills/scientific-skills",
    "trailofbits+skills/plugins",
    "openai+skills/skills",
)
CASES = (
    (f"{A}/pdf", "$PY $S/scripts/check_fillable_fields.py form.pdf"),
    (f"{A}/pdf", "$PY $S/scripts/extract_form_field_info.py form.pdf info.json && cat info.json"),
    (f"{A}/pdf", "$PY $S/scripts/fill_fillable_fields.py form.pdf values.json filled.pdf; ls"),
    (f"{A}/pdf", "$PY $S/scripts/extract_form_structure.py form.pdf structure.json"),
    (f"{A}/pdf", "$PY $S/scripts/check_bounding_boxes.py fields.json"),
    (f"{A}/pdf", "$PY $S/scripts/convert_pdf_to_images.py form.pdf images"),
    (f"{A}/docx", "$PY $S/scripts/office/unpack.py report.docx out && ls -R out"),
    (f"{A}/docx", "$PY $S/scripts/office/unpack.py report.docx out && $PY $S/scripts/office/pack.py out again.docx --original report.docx"),
    (f"{A}/docx", "$PY $S/scripts/office/validate.py report.docx --original report.docx"),
    (f"{A}/docx", "$PY $S/scripts/office/unpack.py report.docx out && $PY $S/scripts/comment.py out 0 'A remark'"),
    (f"{A}/pptx", "$PY $S/scripts/office/unpack.py deck.pptx out && $PY $S/scripts/clean.py out"),
    (f"{A}/pptx", "$PY $S/scripts/office/unpack.py deck.pptx out && $PY $S/scripts/add_slide.py out slideLayout2.xml"),
    (f"{A}/xlsx", "$PY $S/scripts/recalc.py table.xlsx 30"),
    (f"{A}/xlsx", "$PY $S/scripts/office/unpack.py table.xlsx out && ls -R out"),
    (f"{A}/skill-creator", "cd $S && $PY -m scripts.quick_validate $W/mine"),
    (f"{A}/skill-creator", "cd $S && $PY -m scripts.package_skill $W/mine $W/dist; ls $W/dist"),
    (f"{A}/webapp-testing", "$PY $S/scripts/with_server.py --server '$PY -m http.server $PORT' --port $PORT -- curl -s localhost:$PORT/page.html"),
    (f"{A}/webapp-testing", "$PY $S/scripts/with_server.py --help"),
    (f"{A}/mcp-builder", "$PY $S/scripts/evaluation.py --help"),
    (f"{P}/.system/skill-creator", "$PY $S/scripts/init_skill.py made --path $W/new; find new -type f | sort"),
    (f"{P}/.system/skill-creator", "$PY $S/scripts/quick_validate.py mine"),
    (f"{K}/citation-management", "$PY $S/scripts/validate_citations.py refs.bib"),
    (f"{K}/citation-management", "$PY $S/scripts/format_bibtex.py refs.bib --output sorted.bib; cat sorted.bib"),
    (f"{K}/venue-templates", "$PY $S/scripts/query_template.py --list"),
    (f"{K}/clinical-reports", "$PY $S/scripts/compliance_checker.py notes.md"),
    (f"{K}/exploratory-data-analysis", "$PY $S/scripts/eda_analyzer.py data.csv"),
    (f"{T}/rust-review", "$PY $S/scripts/generate_sarif.py --help"),
    (f"{T}/open-sourcing/skills/open-sourcing", "git init -q . && bash $S/scripts/check_readiness.sh ."),
    (f"{T}/static-analysis/skills/codeql", "bash $S/scripts/find_databases.sh ."),
)  # fmt: skip
MISSING = re.compile(
    r"ModuleNotFoundError|ImportError|command not found|is not installed|No such file or directory: '\w+'|Unable to get page count"
)
VARYING = re.compile(r"0x[0-9a-f]+|\d{1,2}:\d\d:\d\d(\.\d+)?|\d+\.\d+ ?s\b|20\d\d-\d\d-\d\d")


def contents(folder):
    """Files of a folder with a digest each; archives by their size alone, because times stand in them."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (
            path.is_file()
            and not path.is_symlink()
            and not name.startswith((".claude/", ".git/"))
            and "__pycache__" not in name
        ):
            plain = path.suffix not in (".docx", ".xlsx", ".pptx", ".pdf", ".skill", ".zip")
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if plain else len(path.read_bytes()) // 100
    return found


def plain_text(text, folder):
    return VARYING.sub("<n>", text.replace(str(folder), "<folder>"))


def tried(skill, command, python, inputs):
    """How a command ends without walls and inside of them: word and detail."""
    with tempfile.TemporaryDirectory(prefix="rw") as name:
        ends = []
        for way in ("plain", "again", "walls"):
            with socket.create_server(("127.0.0.1", 0)) as server:
                port = str(server.getsockname()[1])
            base = Path(name) / "same"  # the same path for both
            base.mkdir()
            walled = Walled(base)
            shutil.copytree(inputs, walled.root, dirs_exist_ok=True)
            folder = walled.root / ".claude/skills" / skill.name
            shutil.copytree(skill, folder, ignore=shutil.ignore_patterns(".git"))
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                if not (folder / "remit.json").exists() and (folder / "SKILL.md").exists():
                    remit(["init", "--quiet", str(folder)])
            if (folder / "remit.json").exists():
                walled.agent.trusts(folder / "remit.json", (folder / "remit.json").read_text())
            walled.agent.says(f"use {skill.name}")
            walled.agent.loads(skill.name)
            loaded = [one.name for one in walled.live().policy.skills]
            walled.name = loaded[-1]  # one that may not be loaded without a person runs in the walls of the other
            own = walled.name != "report"
            environ = {
                **walled.environ,
                "PY": str(python),
                "S": str(folder),
                "W": str(walled.root),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            text = (
                command.replace("$PY", str(python))
                .replace("$S", str(folder))
                .replace("$W", str(walled.root))
                .replace("$PORT", port)
            )
            walled.environ = environ
            if way == "walls":
                done = walled.run(text, timeout=300)
            else:
                done = subprocess.run(
                    ["bash", "-c", text],
                    cwd=walled.root,
                    env=environ,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=300,
                    check=False,
                )
            ends.append(
                (
                    done.returncode,
                    plain_text(done.stdout.replace(port, "<port>"), base),
                    plain_text(done.stderr, base),
                    contents(walled.root),
                )
            )
            walled.close()
            base.rename(Path(name) / way)
    plain, again, inside = ends
    if plain[0] and MISSING.search(plain[1] + plain[2]):
        return "missing", MISSING.search(plain[1] + plain[2])[0]
    if plain != again:  # it gives something else each time
        plain, inside = ((one[0], "", "", list(one[3])) for one in (plain, inside))
    if plain == inside:
        return "unchanged", f"status {plain[0]}{'' if own else ', in the walls of another skill'}"
    which = [
        what
        for what, one, other in zip(("status", "output", "errors", "files"), plain, inside, strict=True)
        if one != other
    ]
    return "CHANGED", f"{', '.join(which)}: {(inside[2] or inside[1])[-300:]!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    args = parser.parse_args()
    os.environ["PATH"] = f"{args.python.parent}:{os.environ['PATH']}"
    counts = {"unchanged": 0, "missing": 0, "CHANGED": 0}
    skills = set()
    with tempfile.TemporaryDirectory(prefix="ri") as inputs:
        subprocess.run([args.python, "-c", INPUTS], cwd=inputs, check=True)
        for place, command in CASES:
            if not (args.corpus / place).is_dir():
                word, detail = "missing", "no such skill in the corpus"
            else:
                word, detail = tried(args.corpus / place, command, args.python, Path(inputs))
            counts[word] += 1
            if word != "missing":
                skills.add(place)
            print(f"{word:9} {place.rpartition('/')[2]:28} {command[:70]:70} {detail}", flush=True)
    print(
        f"{sum(counts.values())} commands, {len(skills)} skills that ran: "
        + ", ".join(f"{number} {word.lower()}" for word, number in counts.items())
    )
    return int(counts["CHANGED"] > 0)


if __name__ == "__main__":
    sys.exit(main())
