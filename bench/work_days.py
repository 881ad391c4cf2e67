"""The work that `ordinary_day.py` plays: repositories, skills, and the calls of a developer's agent, as a host would report them.

A `Day` is some sessions. What the calls say is as real as their order: nothing here was chosen for what a rule would say to it.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Skill(NamedTuple):
    """A skill with one script."""

    name: str
    about: str
    body: str
    script: str
    code: str

    @property
    def text(self) -> str:
        return f"---\nname: {self.name}\ndescription: {self.about}\n---\n# {self.name}\n\n{self.body}\n"

    @property
    def path(self) -> str:
        """Where its script is, from the repository."""
        return f".claude/skills/{self.name}/scripts/{self.script}"


class Done(NamedTuple):
    """One call of the day."""

    kind: str
    tool: str
    args: dict[str, Any]


class Day(NamedTuple):
    """Sessions, by their repository: its files, the skill that is loaded, what the user asks for, and the calls."""

    files: dict[str, dict[str, str]]
    skills: dict[str, Skill]
    prompts: dict[str, str]
    calls: dict[str, list[Done]]


def bash(kind: str, *commands: str) -> list[Done]:
    return [Done(kind, "Bash", {"command": command}) for command in commands]


def write(*paths: str) -> list[Done]:
    return [Done("edits", "Write", {"file_path": path, "content": "x = 1\n"}) for path in paths]


def read(*paths: str) -> list[Done]:
    return [Done("reading", "Read", {"file_path": path}) for path in paths]


def create(path: str, content: str) -> Done:
    return Done("edits", "Write", {"file_path": path, "content": content})


def edit(path: str, old: str, new: str) -> Done:
    return Done("edits", "Edit", {"file_path": path, "old_string": old, "new_string": new})


BODY = """Run `git log --oneline` to see what changed since the last tag, then write `CHANGES.md`.
Run `python3 scripts/collect.py` to group the commits."""
SCRIPT = """import subprocess
text = subprocess.run(["git", "log", "--oneline"], capture_output=True, text=True).stdout
open("CHANGES.md", "w").write(text)
"""
NOTES = Skill("release-notes", "Writes release notes from the history of a repository.", BODY, "collect.py", SCRIPT)
COMMON = {
    "CLAUDE.md": "Use tabs.\n",
    "AGENTS.md": "Use tabs.\n",
    ".env": "API_KEY=abcdefghij0123456789\n",
    ".envrc": "export A=1\n",
    "README.md": "# Project\n",
    ".vscode/settings.json": "{}\n",
    "docs/guide.md": "# Guide\n",
}
SHOP_FILES = {
    "web": {
        "package.json": '{"name": "shop", "version": "1.0.0", "scripts": {"test": "vitest run", "build": "tsc && vite build", "dev": "vite", "lint": "eslint ."}}\n',
        ".npmrc": "save-exact=true\n",
        "tsconfig.json": "{}\n",
        "src/app.ts": "export const a = 1\n",
        "src/app.test.ts": "import { a } from './app'\n",
        "Dockerfile": "FROM node:22\nCOPY . .\n",
        ".husky/pre-commit": "npm test\n",
        "dist/app.js": "var a = 1\n",
        ".gitignore": "node_modules\ndist\n",
        **{
            f"node_modules/.bin/{name}": "#!/usr/bin/env node\n"
            for name in ("eslint", "prettier", "tsc", "vite", "vitest")
        },
    },
    "python": {
        "pyproject.toml": '[project]\nname = "billing"\nversion = "1.0"\n',
        "src/billing/__init__.py": "",
        "src/billing/api.py": "def total(a, b):\n    return a + b\n",
        "tests/test_api.py": "from billing.api import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n",
        "Makefile": "test:\n\tpytest\nclean:\n\trm -rf build dist\n",
        ".pre-commit-config.yaml": "repos: []\n",
        "requirements.txt": "requests\n",
        "manage.py": "print('hi')\n",
    },
    "go": {
        "go.mod": "module example.com/queue\n\ngo 1.23\n",
        "main.go": "package main\n\nfunc main() {}\n",
        "queue/queue.go": "package queue\n",
        "queue/queue_test.go": "package queue\n",
        "Makefile": "test:\n\tgo test ./...\nbuild:\n\tgo build ./...\n",
        "Dockerfile": "FROM golang:1.23\nCOPY . .\n",
        ".cursorrules": "Be short.\n",
        "scripts/gen.sh": "#!/bin/sh\ngo generate ./...\n",
    },
}


SHOP_CALLS = {
    "web": [
        *bash("reading", "ls -la", "cat package.json", "rg -n useState src", "grep -rn TODO .", "find . -name '*.ts' -not -path './node_modules/*'", "ls -R ..", "head -50 src/app.ts | sort | uniq -c"),
        *read("src/app.ts", "CLAUDE.md"),
        Done("reading", "Grep", {"pattern": "export", "path": "."}),
        Done("reading", "Glob", {"pattern": "**/*.ts"}),
        *write("src/cart.ts", "src/cart.test.ts", ".vscode/settings.json", ".husky/pre-commit"),
        Done("edits", "Edit", {"file_path": "src/app.ts", "old_string": "1", "new_string": "2"}),
        *bash("git", "git status", "git diff --stat", "git add -A", "git commit -m 'Add cart'", "git pull", "git stash", "git push", "git log --oneline -5", "git checkout -b cart"),
        *bash("packages", "npm install", "npm install zod", "npm outdated"),
        *bash("tests", "npm test", "npx vitest run src/cart.test.ts", "npm run lint"),
        *bash("build", "npm run build", "npx tsc --noEmit", "npx prettier --write .", "npx eslint . --fix", "npm run dev", "docker build -t shop ."),
        *bash("machine", "echo $NODE_ENV", "node -v && npm -v", "lsof -i :5173", "rm -rf dist"),
        Done("web", "WebFetch", {"url": "https://vitest.dev/guide/", "prompt": "how to mock"}),
        Done("web", "WebSearch", {"query": "vite proxy setting"}),
    ],
    "python": [
        *bash("reading", "cat pyproject.toml", "wc -l src/billing/*.py", "grep -rn 'def ' src", "tree -L 2", "sed -n 1,40p src/billing/api.py"),
        *read("src/billing/api.py", "tests/test_api.py", "AGENTS.md"),
        Done("reading", "Grep", {"pattern": "total", "path": "src"}),
        *write("src/billing/tax.py", "tests/test_tax.py", ".pre-commit-config.yaml"),
        Done("edits", "Edit", {"file_path": "src/billing/api.py", "old_string": "a + b", "new_string": "a - b"}),
        *bash("git", "git status --short", "git diff", "git add src && git commit -m 'Add tax'", "git fetch origin", "git rebase origin/main", "git push origin HEAD", "git blame src/billing/api.py"),
        *bash("packages", "pip install -e .", "pip install httpx", "uv sync", "pip list"),
        *bash("tests", "pytest -q", "python -m pytest tests/test_api.py -k total", "make test", "tox -e py312", "coverage run -m pytest && coverage report"),
        *bash("build", "ruff check . --fix", "black .", "mypy src", "python -m build", "make clean"),
        *bash("machine", "python --version", "which python", "cat /etc/hosts", "mkdir -p build/tmp && cp README.md build/tmp/", "ps aux | grep python", "python3 -c 'import sys; print(sys.path)'", "python manage.py"),
        Done("web", "WebFetch", {"url": "https://docs.pytest.org/en/stable/", "prompt": "fixtures"}),
    ],
    "go": [
        *bash("reading", "ls", "cat go.mod", "grep -rn 'func ' --include='*.go' .", "go doc net/http", "git grep -n Queue", "find . -type f | head -20"),
        *read("queue/queue.go", "main.go"),
        *write("queue/ring.go", "queue/ring_test.go", "docs/ring.md"),
        Done("edits", "Edit", {"file_path": "main.go", "old_string": "{}", "new_string": "{ }"}),
        *bash("git", "git status", "git add .", "git commit -am 'Add ring'", "git push -u origin ring", "git stash pop", "git log -3", "git tag v1.2.0", "gh pr create --fill", "gh pr checks"),
        *bash("packages", "go mod tidy", "go get golang.org/x/sync@latest", "go mod download"),
        *bash("tests", "go test ./...", "go test -run TestRing ./queue", "go test -race ./...", "make test"),
        *bash("build", "go build ./...", "go vet ./...", "gofmt -w .", "golangci-lint run", "docker compose up -d", "make build"),
        *bash("machine", "go env GOPATH", "time go build ./...", "kill %1", "du -sh .", "chmod +x scripts/gen.sh"),
    ],
}  # fmt: skip


SKILLED_FILES = {
    "survey": {
        "pyproject.toml": '[project]\nname = "survey"\nversion = "0.3"\ndependencies = ["pandas", "duckdb"]\n',
        "Makefile": "report:\n\tpython -m survey.report --out out/report.html\nclean:\n\trm -rf out data/tmp\n",
        "survey/__init__.py": "",
        "survey/report.py": "import pandas as pd\n\n\ndef main():\n    frame = pd.read_csv('data/answers.csv')\n    frame.describe().to_html('out/report.html')\n\n\nif __name__ == '__main__':\n    main()\n",
        "survey/clean.py": "import sys\nimport pandas as pd\n\npd.read_csv(sys.argv[1]).dropna().to_csv(sys.argv[2], index=False)\n",
        "tests/test_clean.py": "def test_clean():\n    assert True\n",
        "data/answers.csv": "id,age,score\n1,30,4\n2,41,5\n",
        "data/weights.csv": "age,w\n30,1\n",
        "notebooks/explore.ipynb": '{"cells": [{"cell_type": "code", "id": "a1", "metadata": {}, "execution_count": null, "outputs": [], "source": ["1 + 1"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n',
        "sql/top.sql": "select age, avg(score) from 'data/answers.csv' group by age;\n",
        ".env": "WAREHOUSE_URL=postgres://u:pw12345678@db.example.com/x\n",
        "CLAUDE.md": "Use pandas.\n",
    },
    "shopfront": {
        "package.json": '{"name": "shopfront", "version": "2.1.0", "scripts": {"dev": "vite", "build": "vite build", "test": "vitest", "lint": "eslint src", "storybook": "storybook dev -p 6006", "tokens": "node scripts/build-tokens.mjs"}, "dependencies": {"react": "^19.0.0"}, "devDependencies": {"@playwright/test": "^1.50.0", "eslint": "^9.0.0", "prettier": "^3.0.0", "tailwindcss": "^3.4.0", "vite": "^7.0.0", "vitest": "^3.0.0"}}\n',
        "package-lock.json": '{"lockfileVersion": 3, "packages": {"node_modules/@playwright/test": {"version": "1.50.0", "bin": {"playwright": "cli.js"}}, "node_modules/eslint": {"bin": {"eslint": "b.js"}}, "node_modules/prettier": {"bin": {"prettier": "b.js"}}}}\n',
        "src/App.tsx": "export const App = () => <h1>Shop</h1>\n",
        "src/components/Button.tsx": "export const Button = () => <button/>\n",
        "src/styles/theme.css": ":root { --gap: 4px }\n",
        "src/icons/cart.svg": "<svg/>\n",
        "src/icons/home.svg": "<svg/>\n",
        "public/logo.png": "x\n",
        "scripts/build-tokens.mjs": "import { writeFileSync } from 'node:fs'\nwriteFileSync('src/styles/tokens.css', ':root {}')\n",
        "e2e/cart.spec.ts": "import { test } from '@playwright/test'\n",
        "vite.config.ts": "export default {}\n",
        ".gitignore": "node_modules\ndist\n",
        ".env.development": "VITE_API=http://localhost:8000\n",
        "tailwind.config.js": "module.exports = {}\n",
        "index.html": "<div id=root></div>\n",
        "AGENTS.md": "Use tabs.\n",
    },
    "platform": {
        "main.tf": 'resource "aws_s3_bucket" "logs" {\n  bucket = "acme-logs"\n}\n',
        "variables.tf": 'variable "region" { default = "eu-west-1" }\n',
        "terraform.tfvars": 'region = "eu-west-1"\n',
        "k8s/deployment.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\n",
        "k8s/service.yaml": "apiVersion: v1\nkind: Service\n",
        "charts/api/Chart.yaml": "apiVersion: v2\nname: api\nversion: 0.1.0\n",
        "charts/api/values.yaml": "replicas: 2\n",
        "charts/api/templates/dep.yaml": "kind: Deployment\n",
        "ansible/site.yml": "- hosts: all\n  tasks: []\n",
        "ansible/inventory.ini": "[web]\nweb1.example.com\n",
        "compose.yaml": "services:\n  api:\n    image: nginx:1.27\n",
        "docker/api/Dockerfile": "FROM python:3.12-slim\nCOPY . /app\n",
        "scripts/rotate.sh": "#!/bin/sh\nset -eu\nfind logs -mtime +7 -delete\n",
        "logs/api.log": "GET / 200\nGET /x 500\n",
        "Makefile": "plan:\n\tterraform plan\nlint:\n\tyamllint k8s\n",
        "docs/runbook.md": "# Runbook\n",
        ".github/workflows/ci.yml": "on: push\njobs: {}\n",
        ".gitignore": ".terraform\n",
    },
    "handbook": {
        "chapters/01-intro.md": "# Introduction\n\nText.\n",
        "chapters/02-rules.md": "# Rules\n\nText.\n",
        "chapters/03-faq.md": "# FAQ\n",
        "minutes/2026-11-12.md": "# Minutes\n",
        "template.docx": "PK\n",
        "contract.pdf": "%PDF-1.4\n",
        "figures/plan.png": "x\n",
        "refs.bib": "@book{a, title={A}}\n",
        "slides/talk.pptx": "PK\n",
        "budget.xlsx": "PK\n",
        "Makefile": "book.pdf: chapters/*.md\n\tpandoc chapters/*.md -o book.pdf\n",
        "tools/toc.py": "import glob\n\nfor name in sorted(glob.glob('chapters/*.md')):\n    print(name, open(name).readline().strip())\n",
        "metadata.yaml": "title: Handbook\n",
        "CLAUDE.md": "Write plain English.\n",
        "thesis/main.tex": "\\documentclass{article}\n\\begin{document}x\\end{document}\n",
    },
}
SKILLS = {
    "survey": Skill(
        "profile-table",
        "Profiles a CSV file with columns, types, missing values.",
        "Run `python3 scripts/profile.py FILE` and write the result to `out/profile.md`.",
        "profile.py",
        "import csv, sys\n\nrows = list(csv.DictReader(open(sys.argv[1])))\nopen('out/profile.md', 'w').write(f'{len(rows)} rows\\n')\n",
    ),
    "shopfront": Skill(
        "component-scaffold",
        "Adds a React component with its test and story.",
        "Run `node scripts/scaffold.mjs NAME`, then edit the files below `src/components`.",
        "scaffold.mjs",
        "import { mkdirSync, writeFileSync } from 'node:fs'\n\nconst name = process.argv[2]\nmkdirSync(`src/components/${name}`, { recursive: true })\nwriteFileSync(`src/components/${name}/${name}.tsx`, `export const ${name} = () => null\\n`)\n",
    ),
    "platform": Skill(
        "change-review",
        "Reviews changes of infrastructure and writes a summary.",
        "Run `terraform plan` and `git diff`, then write `docs/change.md` with `sh scripts/collect.sh`.",
        "collect.sh",
        "#!/bin/sh\ngit diff --stat > docs/change.md\n",
    ),
    "handbook": Skill(
        "house-style",
        "Checks and formats chapters of a document.",
        "Run `python3 scripts/check.py chapters` and mend what it reports.",
        "check.py",
        "import pathlib, sys\n\nfor path in sorted(pathlib.Path(sys.argv[1]).glob('*.md')):\n    if '\\t' in path.read_text():\n        print(path, 'has tabs')\n",
    ),
}


SKILLED_CALLS = {
 "survey": [
  *bash("reading", "ls -lh data", "head -n 5 data/answers.csv", "wc -l data/*.csv", "cut -d, -f2 data/answers.csv | sort -n | uniq -c | tail -3", "awk -F, 'NR>1 {s+=$3} END {print s/(NR-1)}' data/answers.csv"),
  *read("survey/report.py", "data/weights.csv", "notebooks/explore.ipynb"),
  Done("reading", "Grep", {"pattern": "read_csv", "path": "survey"}),
  *bash("skill", f"mkdir -p out && python3 {SKILLS['survey'].path} data/answers.csv"),
  *bash("run", "python3 -c \"import pandas as pd; print(pd.read_csv('data/answers.csv').describe())\"", 'duckdb -c "$(cat sql/top.sql)"', "python -m survey.report --out out/report.html", "make report",
    "python3 - <<'EOF'\nimport pandas as pd\n\nframe = pd.read_csv('data/answers.csv').merge(pd.read_csv('data/weights.csv'))\nframe['weighted'] = frame.score * frame.w\nframe.to_parquet('data/weighted.parquet')\nprint(frame.groupby('age').weighted.mean())\nEOF",
    "jupyter nbconvert --to notebook --execute --inplace notebooks/explore.ipynb", "python survey/clean.py data/answers.csv data/clean.csv && diff data/answers.csv data/clean.csv | head", "sqlite3 data/survey.db '.mode csv' '.import data/answers.csv answers' 'select count(*) from answers'"),
  Done("edits", "NotebookEdit", {"notebook_path": "notebooks/explore.ipynb", "cell_id": "a1", "new_source": "import pandas as pd"}),
  Done("edits", "Edit", {"file_path": "survey/clean.py", "old_string": ".dropna()", "new_string": ".dropna(subset=['score'])"}),
  *write("tests/test_weights.py"),
  *bash("tests", "uv run pytest -q tests", "ruff check survey && ruff format --check survey"),
  *bash("packages", "uv add polars"),
  *bash("machine", "gzip -k data/clean.csv && ls -l data", "rm -rf data/tmp && mkdir data/tmp", "mv data/clean.csv data/tmp/clean-$(date +%F).csv", "nvidia-smi || free -h"),
  *bash("git", "git add -A . && git commit -m 'Weight the answers'", "git diff HEAD~1 --stat"),
  Done("web", "WebFetch", {"url": "https://pandas.pydata.org/docs/reference/api/pandas.merge.html", "prompt": "validate argument"}),
 ],
 "shopfront": [
  *bash("reading", "git status -sb", "rg -l useState src", "jq .scripts package.json", "npm ls react", "du -sh node_modules dist 2>/dev/null"),
  *read("src/App.tsx", "vite.config.ts", "src/styles/theme.css"),
  Done("reading", "Glob", {"pattern": "src/**/*.tsx"}),
  *bash("skill", f"node {SKILLS['shopfront'].path} CartBadge"),
  *write("src/components/CartBadge/CartBadge.tsx", "src/components/CartBadge/CartBadge.test.tsx", "src/components/CartBadge/CartBadge.stories.tsx"),
  Done("edits", "Edit", {"file_path": "src/styles/theme.css", "old_string": "4px", "new_string": "8px"}),
  Done("edits", "Edit", {"file_path": "tailwind.config.js", "old_string": "{}", "new_string": "{ content: ['./src/**/*.tsx'] }"}),
  *bash("run", "npm ci", "npm run tokens", "npx vitest run --coverage", "npx playwright test e2e/cart.spec.ts --reporter=line", "npm run build -- --mode staging && ls -la dist/assets", "curl -sI http://localhost:5173/ | head -1", "npx eslint src --ext .tsx --fix && npx prettier --check src", 'for f in src/icons/*.svg; do npx svgo "$f" -o "$f"; done', "sed -i 's/--gap: 8px/--gap: 0.5rem/' src/styles/theme.css", "convert public/logo.png -resize 64x64 public/favicon.png"),
  Done("run", "Bash", {"command": "npm run dev -- --port 5173", "run_in_background": True}),
  *bash("machine", "kill $(lsof -ti :5173) || true"),
  *bash("git", "git switch -c cart-badge", "git add src && git commit -m 'Show how many items are in the cart'", "git push -u origin cart-badge", "gh pr view"),
 ],
 "platform": [
  *bash("reading", "tree -L 2 -a -I .git", "grep -rn 'image:' k8s compose.yaml charts", "cat charts/api/values.yaml", "tail -n 200 logs/api.log | grep -c ' 500'", "git log --since=yesterday --oneline -- k8s"),
  *read("main.tf", "docs/runbook.md"),
  Done("reading", "Grep", {"pattern": "replicas", "path": "."}),
  *bash("skill", f"sh {SKILLS['platform'].path}"),
  *bash("run", "terraform fmt -recursive && terraform validate", "terraform init -backend=false", "terraform plan -out=tf.plan", "helm template api charts/api -f charts/api/values.yaml > /tmp/api.yaml", "helm lint charts/api", "kubectl diff -f k8s/ || true", "kubectl get pods -n api -o wide", "kubectl logs deploy/api -n api --since=1h | tail -50", "docker compose config -q && docker compose ps", "docker build -t api:dev -f docker/api/Dockerfile .", "ansible-playbook -i ansible/inventory.ini ansible/site.yml --check --diff", "yamllint k8s charts/api/values.yaml", "shellcheck scripts/*.sh", "bash -n scripts/rotate.sh", "make lint", "yq '.replicas' charts/api/values.yaml", "python3 -c 'import yaml,glob; [yaml.safe_load(open(p)) for p in glob.glob(\"k8s/*.yaml\")]; print(\"ok\")'"),
  *write("k8s/hpa.yaml", "docs/change.md"),
  Done("edits", "Edit", {"file_path": "main.tf", "old_string": "acme-logs", "new_string": "acme-logs-eu"}),
  Done("edits", "Edit", {"file_path": ".github/workflows/ci.yml", "old_string": "on: push", "new_string": "on: [push, pull_request]"}),
  *bash("git", "git add k8s main.tf docs .github", "git commit -m 'Scale the api by load'"),
 ],
 "handbook": [
  *bash("reading", "ls chapters minutes", "wc -w chapters/*.md", "pdftotext -layout contract.pdf - | head -40", "unzip -l template.docx", "grep -n 'TODO' -r chapters || echo none"),
  *read("chapters/02-rules.md", "contract.pdf"),
  *bash("skill", f"python3 {SKILLS['handbook'].path} chapters"),
  *bash("run", "pandoc chapters/*.md --metadata-file=metadata.yaml --reference-doc=template.docx -o out.docx", "soffice --headless --convert-to pdf --outdir build out.docx", "make book.pdf", "python3 tools/toc.py > TOC.md", "latexmk -pdf -cd thesis/main.tex", "typst compile paper.typ paper.pdf", "pdftoppm -r 60 -png book.pdf build/page", "qpdf --empty --pages contract.pdf 1-3 -- excerpt.pdf", "tesseract figures/plan.png build/plan", "exiftool -all= -overwrite_original figures/plan.png",
    "python3 - <<'EOF'\nfrom openpyxl import load_workbook\n\nbook = load_workbook('budget.xlsx')\nsheet = book.active\nsheet['B2'] = '=SUM(B3:B9)'\nbook.save('budget.xlsx')\nEOF",
    "python3 -c \"from docx import Document; d = Document('out.docx'); print(len(d.paragraphs))\"", "aspell list < chapters/01-intro.md | sort -u | head", "npx markdownlint-cli2 'chapters/*.md'", "cat > minutes/2026-11-19.md <<'EOF'\n# Minutes of 19 November\n\n- The handbook goes to print on Friday.\nEOF"),
  *write("chapters/04-glossary.md"),
  Done("edits", "Edit", {"file_path": "chapters/01-intro.md", "old_string": "Text.", "new_string": "This handbook says how we work."}),
  *bash("machine", "cp book.pdf ~/Documents/", "zip -r handbook.zip chapters figures -x '*.tmp'"),
  *bash("git", "git add -A && git commit -qm 'Add a glossary'", "git push"),
  Done("web", "WebSearch", {"query": "pandoc reference-doc heading styles"}),
 ],
}  # fmt: skip
SKILLED_PROMPTS = {
    "survey": "Weight the answers by age group, and let polars do the merge. Commit when the tests pass.",
    "shopfront": "Show the number of items on the cart button, with a test and a story. Push the branch so that Ana can look at it.",
    "platform": "The api should scale by load, and the bucket for logs needs the region in its name. Pull requests should run CI too.",
    "handbook": "Add a glossary, bring the chapters to our style, and build the book as docx and pdf.",
}


CLIENT = Skill(
    "api-client",
    "Generates a typed client from an OpenAPI description, and brings its callers up to date.",
    "1. Run `node scripts/generate.mjs openapi.yaml FOLDER` to write `FOLDER/operations.json`.\n2. Edit the client's source after it, with a test for each new operation.\n3. Run the project's tests and its type checker.",
    "generate.mjs",
    "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'\n\nconst [source, folder] = process.argv.slice(2)\nconst names = [...readFileSync(source, 'utf8').matchAll(/operationId: (\\w+)/g)].map(found => found[1])\nmkdirSync(folder, { recursive: true })\nwriteFileSync(`${folder}/operations.json`, JSON.stringify(names, null, 2))\n",
)
RECORDS = Skill(
    "decision-record",
    "Writes a record of a technical decision, from the discussion and the history of the repository.",
    "Run `python3 scripts/new_record.py TITLE` to create the next file in `docs/adr`, then fill in its parts: context, decision, consequences. Link the commits that it is about (`git log --oneline`).",
    "new_record.py",
    "import datetime, pathlib, re, sys\n\nfolder = pathlib.Path('docs/adr')\nfolder.mkdir(parents=True, exist_ok=True)\nnumber = len(list(folder.glob('*.md'))) + 1\nslug = re.sub(r'\\W+', '-', sys.argv[1].lower())\npath = folder / f'{number:04}-{slug}.md'\npath.write_text(f'# {sys.argv[1]}\\n\\n{datetime.date.today()}\\n\\n## Context\\n\\n## Decision\\n\\n## Consequences\\n')\nprint(path)\n",
)
NEW_WORK = Day(
    files={
        "storefront": {
            "package.json": '{"name": "storefront", "private": true, "packageManager": "pnpm@9.12.0", "scripts": {"build": "turbo run build", "test": "turbo run test", "lint": "turbo run lint", "prepare": "husky"}, "devDependencies": {"turbo": "^2.1.0", "typescript": "^5.6.0", "vitest": "^3.0.0", "eslint": "^9.0.0", "husky": "^9.0.0", "tsx": "^4.0.0"}}\n',
            "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\n",
            "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
            "turbo.json": '{"tasks": {"build": {"dependsOn": ["^build"]}, "test": {}, "lint": {}}}\n',
            "tsconfig.base.json": '{"compilerOptions": {"strict": true}}\n',
            "eslint.config.js": "export default []\n",
            "openapi.yaml": "openapi: 3.1.0\npaths:\n  /orders:\n    get: {operationId: listOrders}\n    post: {operationId: createOrder}\n",
            "packages/client/package.json": '{"name": "@acme/client", "version": "0.4.0", "scripts": {"build": "tsc -b", "test": "vitest run"}}\n',
            "packages/client/src/index.ts": "export const listOrders = () => fetch('/orders').then(r => r.json())\n",
            "packages/client/src/index.test.ts": "import { listOrders } from './index'\n",
            "apps/web/package.json": '{"name": "web", "scripts": {"dev": "vite", "build": "vite build", "test": "vitest run"}, "dependencies": {"@acme/client": "workspace:*", "react": "^19.0.0"}, "devDependencies": {"vite": "^7.0.0"}}\n',
            "apps/web/src/Orders.tsx": "export const Orders = () => null\n",
            "apps/web/vite.config.ts": "import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n",
            "apps/api/package.json": '{"name": "api", "scripts": {"dev": "tsx watch src/main.ts", "test": "node --test"}, "dependencies": {"@prisma/client": "^6.0.0", "fastify": "^5.0.0"}, "devDependencies": {"prisma": "^6.0.0"}}\n',
            "apps/api/src/main.ts": "console.log('up')\n",
            "apps/api/prisma/schema.prisma": 'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}\n',
            "compose.yaml": "services:\n  postgres:\n    image: postgres:17\n",
            ".husky/pre-commit": "pnpm lint\n",
            ".npmrc": "auto-install-peers=true\n",
            ".env": "DATABASE_URL=postgres://shop:hunter2hunter2@localhost:5432/shop\n",
            ".changeset/config.json": "{}\n",
            ".github/workflows/ci.yml": "on: push\njobs: {}\n",
            ".gitignore": "node_modules\ndist\n",
            "CLAUDE.md": "Use pnpm. Each change of a package needs a changeset.\n",
        },
        "forecast": {
            "pyproject.toml": '[project]\nname = "forecast"\nversion = "0.9.0"\ndependencies = ["pandas>=2", "httpx", "typer"]\n\n[dependency-groups]\ndev = ["pytest", "ruff", "mypy", "pre-commit"]\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
            "uv.lock": "version = 1\n",
            "requirements-dev.txt": "pytest\nruff\n",
            "etl/__init__.py": "",
            "etl/load.py": "import pandas as pd\nimport typer\n\n\ndef load(day: str) -> pd.DataFrame:\n    return pd.read_csv(f'data/raw/{day}.csv')\n\n\nif __name__ == '__main__':\n    typer.run(load)\n",
            "etl/model.py": "def fit(frame):\n    return frame.mean()\n",
            "tests/conftest.py": "import pytest\n",
            "tests/test_load.py": "from etl.load import load\n\n\ndef test_dates():\n    assert load\n",
            "data/raw/2026-11-01.csv": "day,demand\n2026-11-01,4\n",
            "dbt/dbt_project.yml": "name: forecast\n",
            "dbt/models/demand.sql": "select day, sum(demand) from {{ ref('raw') }} group by 1\n",
            "notebooks/errors.py": "# %%\nimport pandas as pd\n",
            ".pre-commit-config.yaml": "repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    rev: v0.6.9\n    hooks: [{id: ruff}]\n",
            ".github/workflows/test.yml": "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: uv run pytest\n",
            "Makefile": "check:\n\truff check etl\n\tmypy etl\n\tpytest -q\n",
            ".env": "WAREHOUSE_PASSWORD=correct-horse-battery\n",
            "README.md": "# Forecast\n",
        },
        "ledger": {
            "Cargo.toml": '[package]\nname = "ledger"\nversion = "0.3.1"\nedition = "2021"\n\n[dependencies]\ntokio = { version = "1", features = ["full"] }\naxum = "0.7"\nserde = "1"\n\n[dev-dependencies]\ncriterion = "0.5"\n',
            "Cargo.lock": "version = 4\n",
            "rust-toolchain.toml": '[toolchain]\nchannel = "1.82"\n',
            ".cargo/config.toml": '[build]\ntarget-dir = "target"\n',
            "build.rs": "fn main() {}\n",
            "src/main.rs": "fn main() {}\n",
            "src/routes.rs": "pub fn routes() {}\n",
            "tests/routes.rs": "#[test]\nfn ok() {}\n",
            "benches/post.rs": "fn main() {}\n",
            "migrations/0001_init.sql": "create table entry (id int);\n",
            "openapi.yaml": "openapi: 3.1.0\npaths:\n  /entries:\n    get: {operationId: listEntries}\n",
            "Dockerfile": "FROM rust:1.82 AS build\nCOPY . .\nRUN cargo build --release\n",
            "Justfile": "test:\n    cargo test\nrelease version:\n    cargo set-version {{version}}\n",
            "CHANGELOG.md": "# Changelog\n",
            ".github/workflows/release.yml": "on: {push: {tags: ['v*']}}\njobs: {}\n",
            ".env": "DATABASE_URL=postgres://ledger:s3cr3ts3cr3t@localhost/ledger\n",
            ".gitignore": "target\n",
            "AGENTS.md": "Run clippy.\n",
        },
        "landing-zone": {
            "envs/dev/main.tf": 'module "network" {\n  source = "../../modules/network"\n}\n',
            "envs/dev/backend.tf": 'terraform {\n  backend "s3" {\n    bucket = "acme-state"\n  }\n}\n',
            "modules/network/main.tf": 'resource "aws_vpc" "main" {\n  cidr_block = "10.0.0.0/16"\n}\n',
            "kustomize/base/kustomization.yaml": "resources: [deploy.yaml]\n",
            "kustomize/base/deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: gateway}\n",
            "kustomize/overlays/dev/kustomization.yaml": "resources: [../../base]\n",
            "helm/gateway/Chart.yaml": "apiVersion: v2\nname: gateway\nversion: 1.0.0\n",
            "helm/gateway/values.yaml": "image: {tag: '1.4'}\n",
            "docker/runner/Dockerfile": "FROM ubuntu:24.04\nRUN apt-get update\n",
            ".github/workflows/deploy.yml": "on: workflow_dispatch\njobs:\n  deploy:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n",
            ".github/dependabot.yml": "version: 2\nupdates: []\n",
            ".pre-commit-config.yaml": "repos: []\n",
            ".tflint.hcl": 'plugin "aws" {\n  enabled = true\n}\n',
            ".envrc": "export AWS_PROFILE=dev\n",
            "scripts/drain.sh": '#!/bin/bash\nset -euo pipefail\nkubectl drain "$1" --ignore-daemonsets\n',
            "Makefile": "fmt:\n\tterraform fmt -recursive\nvalidate:\n\t./scripts/validate.sh\n",
            "scripts/validate.sh": "#!/bin/sh\nfor env in envs/*; do terraform -chdir=$env validate; done\n",
            "docs/runbooks/drain.md": "# Drain a node\n",
            ".gitignore": ".terraform\n*.tfstate\n",
        },
    },
    skills={"storefront": CLIENT, "forecast": RECORDS, "ledger": CLIENT, "landing-zone": RECORDS},
    prompts={
        "storefront": "openapi.yaml has the orders endpoint now. Bring the client up to date, show the orders in the web app, and open a pull request.",
        "forecast": "The forecast breaks on days without demand. Find out why, mend it with a test, and write down why we drop these days.",
        "ledger": "Add POST /entries to the service and to the client, and get 0.4.0 ready. Use tracing for the logs, please.",
        "landing-zone": "The gateway should run version 1.5 in dev, with a drain script that waits. Write a decision record, and have the deploy workflow pin its actions.",
    },
    calls={
        "storefront": [
            *bash(
                "reading",
                "cat pnpm-workspace.yaml turbo.json",
                "ls packages/*/src apps/*/src",
                "rg -n 'listOrders' packages apps --glob '!**/dist/**'",
                "git log --oneline -8 -- packages/client",
            ),
            *read("openapi.yaml", "packages/client/src/index.ts"),
            Done("reading", "Grep", {"pattern": "fetch\\(", "path": "packages"}),
            *bash("skill", f"node {CLIENT.path} openapi.yaml packages/client/src"),
            edit(
                "packages/client/src/index.ts",
                "export const listOrders",
                "export const createOrder = (o: unknown) => fetch('/orders', { method: 'POST', body: JSON.stringify(o) })\nexport const listOrders",
            ),
            create(
                "packages/client/src/orders.test.ts",
                "import { expect, test, vi } from 'vitest'\nimport { createOrder } from './index'\n\ntest('posts', async () => {\n  vi.stubGlobal('fetch', vi.fn(async () => new Response('{}')))\n  await createOrder({})\n  expect(fetch).toHaveBeenCalled()\n})\n",
            ),
            create(
                "apps/web/src/Orders.tsx",
                "import { listOrders } from '@acme/client'\nimport { use } from 'react'\n\nexport const Orders = () => <ul>{use(listOrders()).map((o: any) => <li key={o.id}>{o.id}</li>)}</ul>\n",
            ),
            create(".changeset/brave-owls.md", "---\n'@acme/client': minor\n---\n\nAdd createOrder.\n"),
            edit(
                "packages/client/package.json",
                '"test": "vitest run"',
                '"test": "vitest run", "typecheck": "tsc --noEmit"',
            ),
            edit(
                "apps/web/vite.config.ts",
                "defineConfig({})",
                "defineConfig({ server: { proxy: { '/orders': 'http://localhost:3000' } } })",
            ),
            edit("turbo.json", '"lint": {}', '"lint": {}, "typecheck": {}'),
            *bash(
                "packages",
                "pnpm install --frozen-lockfile",
                "pnpm add -D msw --filter web",
                "pnpm dlx @redocly/cli lint openapi.yaml",
            ),
            *bash(
                "tests",
                "pnpm --filter @acme/client test -- --run",
                "pnpm turbo run lint typecheck --filter=...[HEAD^1]",
                "cd apps/web && npx vitest run src/Orders.test.tsx; cd ../..",
            ),
            *bash(
                "run",
                "pnpm exec tsc -b --pretty false 2>&1 | head -30",
                "docker compose up -d postgres && sleep 2",
                "pnpm --filter api exec prisma migrate dev --name add-orders",
                "psql \"$DATABASE_URL\" -c '\\dt'",
                "curl -s -X POST localhost:3000/orders -H 'content-type: application/json' -d '{\"sku\":1}' | jq .",
            ),
            Done("run", "Bash", {"command": "pnpm --filter api dev > /tmp/api.log 2>&1", "run_in_background": True}),
            *bash(
                "git",
                "git checkout -b orders-client",
                "git add -A && git commit -m 'Add createOrder to the client' && git push -u origin HEAD",
                "gh pr create --title 'Orders in the client' --body \"$(cat <<'EOF'\n## What\n\nAdds createOrder and shows the orders.\nEOF\n)\"",
                "gh pr checks --watch",
            ),
        ],
        "forecast": [
            *bash(
                "reading",
                "head -3 data/raw/*.csv",
                "grep -rn 'read_csv' etl tests",
                "git log -p --since='2 weeks ago' -- etl/load.py | head -120",
                "uv pip list | grep -i pandas",
            ),
            *read("etl/load.py", "tests/conftest.py", "pyproject.toml"),
            *bash(
                "run",
                "uv sync",
                "uv run python -m etl.load 2026-11-01",
                "uv run python - <<'EOF'\nimport pandas as pd\n\nframe = pd.read_csv('data/raw/2026-11-01.csv')\nprint(frame.isna().sum(), frame.dtypes)\nEOF",
                "duckdb -c \"select day, count(*) from 'data/raw/*.csv' group by 1 having count(*) = 0\"",
                'for d in data/raw/*.csv; do echo "$d $(wc -l < $d)"; done | sort -k2 -n | head',
            ),
            edit(
                "etl/load.py",
                "return pd.read_csv(f'data/raw/{day}.csv')",
                "return pd.read_csv(f'data/raw/{day}.csv').dropna(subset=['demand'])",
            ),
            create(
                "tests/test_empty_days.py",
                "import pandas as pd\nimport pytest\n\nfrom etl.load import load\n\n\n@pytest.fixture\ndef empty(tmp_path, monkeypatch):\n    (tmp_path / 'data/raw').mkdir(parents=True)\n    (tmp_path / 'data/raw/d.csv').write_text('day,demand\\nd,\\n')\n    monkeypatch.chdir(tmp_path)\n\n\ndef test_days_without_demand_are_dropped(empty):\n    assert load('d').empty\n",
            ),
            edit(
                "tests/conftest.py",
                "import pytest\n",
                "import pytest\n\n\n@pytest.fixture\ndef day():\n    return '2026-11-01'\n",
            ),
            edit("pyproject.toml", 'testpaths = ["tests"]', 'testpaths = ["tests"]\nfilterwarnings = ["error"]'),
            *bash(
                "tests",
                "uv run pytest -x -q tests/test_empty_days.py",
                "make check",
                "uv run mypy --strict etl && uv run ruff format etl tests",
                "pre-commit run --all-files",
                "uv run pytest --cov=etl --cov-report=term-missing",
            ),
            *bash("packages", "uv add --dev pytest-cov", "pip install -r requirements-dev.txt"),
            *bash(
                "build",
                "dbt run --select demand --project-dir dbt",
                "uv build",
                "jupytext --to ipynb notebooks/errors.py",
            ),
            *bash("skill", f"python3 {RECORDS.path} 'Days without demand are dropped'"),
            edit("README.md", "# Forecast\n", "# Forecast\n\nDays without demand are dropped (docs/adr/0001).\n"),
            Done(
                "web",
                "WebFetch",
                {"url": "https://pandas.pydata.org/docs/user_guide/missing_data.html", "prompt": "dropna and integers"},
            ),
            *bash(
                "git",
                "git stash && git pull --rebase && git stash pop",
                "git add etl tests docs pyproject.toml README.md",
                "git commit -m \"$(cat <<'EOF'\nDrop days without demand\n\nThey have no price, and the fit fails on them.\nEOF\n)\"",
                "git push",
            ),
        ],
        "ledger": [
            *bash(
                "reading",
                "cargo tree -d",
                "rg -n 'fn routes' src",
                "sed -n '1,80p' src/routes.rs",
                "git diff v0.3.1.. --stat",
            ),
            *read("Cargo.toml", "src/main.rs"),
            Done("reading", "Glob", {"pattern": "src/**/*.rs"}),
            edit(
                "openapi.yaml",
                "get: {operationId: listEntries}",
                "get: {operationId: listEntries}\n    post: {operationId: postEntry}",
            ),
            *bash("skill", f"node {CLIENT.path} openapi.yaml client"),
            create(
                "src/routes.rs",
                'use axum::{routing::get, Router};\n\npub fn routes() -> Router {\n    Router::new().route("/entries", get(list).post(post))\n}\n\nasync fn list() {}\nasync fn post() {}\n',
            ),
            create(
                "migrations/0002_entry_amount.sql", "alter table entry add column amount bigint not null default 0;\n"
            ),
            edit("build.rs", "fn main() {}", 'fn main() {\n    println!("cargo:rerun-if-changed=migrations");\n}'),
            edit("Cargo.toml", 'version = "0.3.1"', 'version = "0.4.0"'),
            edit("CHANGELOG.md", "# Changelog\n", "# Changelog\n\n## 0.4.0\n\n- POST /entries\n"),
            *bash(
                "packages",
                "cargo add tracing tracing-subscriber --features tracing-subscriber/json",
                "cargo update -p tokio --precise 1.40.0",
                "cargo add --dev tower",
            ),
            *bash(
                "tests",
                "cargo test --workspace -- --nocapture",
                "RUST_LOG=debug cargo nextest run routes",
                "cargo clippy --all-targets -- -D warnings",
                "cargo bench --bench post -- --quick",
            ),
            *bash(
                "build",
                "cargo fmt --all && cargo check",
                "cargo build --release 2>&1 | tail -5",
                "sqlx migrate run --source migrations",
                "docker build -t ledger:0.4.0 --build-arg PROFILE=release .",
                "just test",
            ),
            *bash(
                "machine",
                "ls -lh target/release/ledger && ldd target/release/ledger",
                "timeout 5 ./target/release/ledger & sleep 1; curl -sf localhost:8080/health; kill %1",
                "rustup show active-toolchain",
                "perl -0pi -e 's/1\\.82/1.83/' rust-toolchain.toml",
                "export RUST_BACKTRACE=1; cargo test routes 2>&1 | grep -A5 panicked || true",
            ),
            Done("web", "WebSearch", {"query": "axum 0.7 method router post json extractor"}),
            *bash(
                "git",
                "git add -p src < /dev/null || git add src",
                "git commit -am 'Post entries' -m 'The client follows.'",
                "git rebase -i --autosquash main < /dev/null",
                "git tag -a v0.4.0 -m 'v0.4.0'",
                "git push origin main v0.4.0",
            ),
        ],
        "landing-zone": [
            *bash(
                "reading",
                "find envs modules -name '*.tf' | xargs wc -l",
                "grep -rn 'tag:' helm kustomize",
                "cat .github/workflows/deploy.yml",
                "gh run list --workflow deploy.yml --limit 5",
            ),
            *read("helm/gateway/values.yaml", "scripts/drain.sh", "docs/runbooks/drain.md"),
            edit("helm/gateway/values.yaml", "'1.4'", "'1.5'"),
            edit("scripts/drain.sh", "--ignore-daemonsets", "--ignore-daemonsets --timeout=300s"),
            edit(
                ".github/workflows/deploy.yml",
                "actions/checkout@v4",
                "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683",
            ),
            edit(
                "docker/runner/Dockerfile",
                "RUN apt-get update",
                "RUN apt-get update && apt-get install -y --no-install-recommends jq && rm -rf /var/lib/apt/lists/*",
            ),
            edit("Makefile", "fmt:", "render:\n\tkustomize build kustomize/overlays/dev\nfmt:"),
            create(
                "kustomize/overlays/dev/patch.yaml",
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: gateway}\nspec: {replicas: 1}\n",
            ),
            *bash(
                "run",
                "terraform -chdir=envs/dev init -backend=false -input=false",
                "terraform -chdir=envs/dev plan -input=false -no-color | tee /tmp/plan.txt",
                "tflint --recursive --config=$PWD/.tflint.hcl",
                "kustomize build kustomize/overlays/dev | kubeconform -strict -summary",
                "helm template gateway helm/gateway --set image.tag=1.5 | grep image",
                "helm upgrade --install gateway helm/gateway -n dev --dry-run",
                "kubectl -n dev rollout status deploy/gateway --timeout=60s",
                "aws sts get-caller-identity",
                "make validate render",
                "bash -x scripts/drain.sh node-1 2>&1 | head -20",
                "trivy config --severity HIGH .",
                "actionlint && shellcheck scripts/*.sh",
                'docker run --rm -v "$PWD:/work" -w /work hadolint/hadolint hadolint docker/runner/Dockerfile',
            ),
            *bash("skill", f"python3 {RECORDS.path} 'The gateway drains before it restarts' && git log --oneline -3"),
            create(
                "docs/adr/0001-the-gateway-drains-before-it-restarts.md",
                "# The gateway drains before it restarts\n\n## Context\n\nRestarts drop requests.\n\n## Decision\n\nDrain, and wait.\n\n## Consequences\n\nSlower deployments.\n",
            ),
            edit(
                ".pre-commit-config.yaml",
                "repos: []",
                "repos:\n  - repo: https://github.com/antonbabenko/pre-commit-terraform\n    rev: v1.96.1\n    hooks: [{id: terraform_fmt}]",
            ),
            *bash(
                "machine",
                "chmod +x scripts/*.sh",
                "diff <(kustomize build kustomize/base) <(kustomize build kustomize/overlays/dev)",
                "tar -czf /tmp/plan.tgz -C /tmp plan.txt",
                "env | grep -c AWS_ || true",
            ),
            *bash(
                "git",
                "git switch -c gateway-1.5 && git add -A && git status -s",
                "git commit -qm 'Run gateway 1.5 in dev' && git push -u origin gateway-1.5",
                "gh pr create --fill --draft",
            ),
        ],
    },
)

DAYS = {
    "web, Python and Go": Day(
        {name: COMMON | files for name, files in SHOP_FILES.items()},
        dict.fromkeys(SHOP_FILES, NOTES),
        dict.fromkeys(SHOP_FILES, "Please go on with the ticket."),
        SHOP_CALLS,
    ),
    "data, pages, infrastructure and documents": Day(SKILLED_FILES, SKILLS, SKILLED_PROMPTS, SKILLED_CALLS),
    "a monorepo, forecasts, a service and clusters": NEW_WORK,
}
