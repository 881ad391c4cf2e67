# make run     check an example skill
# make test    lint, types, import direction, docs, and every test
# make quick   lint of what you changed, and the tests that name it
# make nightly also what has `_nightly` in its name: facts of pinned hosts, and more of the same
# make coverage PACKAGES="core skill"   how many lines and branches of each package its own tests run
# make models  every model in TLA+ against the code that runs, by TLC
# make fuzz    the reality check, that of data flows and the robustness fuzzer, for MINUTES each
# make probe   the summaries of commands and libraries against the real ones that are installed here (docs/reality.md)
# make mutate  small mistakes in gateway, policy, executor and web, one at a time: a model or a test notices each (docs/mutation.md)
# make docs    the site of docs/ in site/; a broken link fails
# make release KEY=release.key   wheel, sdist, bill of materials and a signed statement in dist/, the same bytes everywhere
# make verify-release KEY=release.key.pub   refuses dist/ if a byte of it was not signed, or the source gives others
# make bench   speed and memory, side by side with other scanners; of drafting, and of proofs
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
BIN := .venv/bin
STAMP := .venv/.stamp
CORE := .venv/.core
EXAMPLE ?= examples/sales-report
MINUTES ?= 5
JOBS ?= 3  # one more than a small machine has cores: tests of daemons and hosts wait

.PHONY: help run test tested quick nightly coverage models lint bench corpus fuzz probe mutate lock docs release verify-release clean

help:
	@sed -n 's/^# make/make/p' Makefile

# what `run` needs is there in seconds; whoever has everything has that too
$(CORE): requirements-core.lock pyproject.toml tools/setup
	@tools/setup core
	@touch $@

$(STAMP): requirements.lock pyproject.toml tools/setup
	@tools/setup
	@touch $(CORE) $@

run: $(CORE)
	@$(BIN)/remit check $(EXAMPLE)

# the types are looked at on one core while the tests are read and run on the others
test: $(STAMP)
	@$(MAKE) -j2 lint tested

# read once after a change, so that no worker need rewrite the asserts of all files for itself
.venv/.collected: $(STAMP) $(shell find tests -name '*.py')
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --collect-only -qq >.venv/collected.log || { tail -50 .venv/collected.log; exit 1; }
	@touch $@

# compiled once, so that no program that a test starts need do it
tested: .venv/.collected
	@$(BIN)/python -m compileall -q src
	@$(BIN)/python -m tools.run_tests -n $(JOBS)

# which tests: tools/touched.py
quick: $(STAMP)
	@$(BIN)/ruff check -q
	@$(BIN)/python -m pytest -n 2 -x -k "not needs_node and not chromium and not Chromium" $$($(BIN)/python tools/touched.py)

nightly: lint
	@REMIT_NIGHTLY=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

coverage: $(STAMP)
	@$(BIN)/python tools/package_coverage.py $(PACKAGES)

models: $(STAMP)
	@$(BIN)/python -m remit.cli models check --engine tlc $(MODELS)

lint: $(STAMP)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# SKILLS="folder …" compares over these; REMIT_CORPUS names a folder of public skills
bench: $(STAMP)
	@$(BIN)/python bench/speed.py $(SKILLS)
	@$(BIN)/python bench/init_speed.py $(SKILLS)
	@$(BIN)/python bench/types_speed.py $(SKILLS)
	@$(BIN)/python bench/sessions_speed.py
	@$(BIN)/python bench/verify_speed.py
	@$(BIN)/python bench/audit_speed.py
	@$(BIN)/python bench/inbound_speed.py
	@$(BIN)/python bench/inbound_http.py
	@$(BIN)/python bench/models_speed.py
	@$(BIN)/python bench/console_speed.py
	@$(BIN)/python bench/first_use.py
	@$(BIN)/python bench/flows.py
	@if [ -n "$${REMIT_SKILL_INJECT:-}" ]; then $(BIN)/python bench/skill_inject/run.py; fi

corpus: $(STAMP)
	@$(BIN)/python bench/corpus.py $(SKILLS)

fuzz: $(STAMP)
	@$(BIN)/python tests/reality/fuzz.py --minutes $(MINUTES)
	@$(BIN)/python tests/reality/fuzz_flows.py --minutes $(MINUTES)
	@$(BIN)/python tests/fuzz/run.py --minutes $(MINUTES)

# NAMES="mv coreutils.cmd shutil node:fs" probes these; REMIT_PROBE_PACKAGES names folders with further Python packages
probe: $(STAMP)
	@cd tests/reality && ../../$(BIN)/python -m probe $(NAMES)

# goes on where the last run stopped; MUTANTS="--seed 2 --count 150" is another sample
mutate: $(STAMP)
	@$(BIN)/python tests/mutation/mutate_core.py $(MUTANTS)

# the lock names versions and hashes, never a host: see docs/adr/0001-lock-without-hosts.md
COMPILE := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
    --no-header --no-annotate
lock: $(STAMP)
	@$(COMPILE) pyproject.toml --all-extras --group dev --group build -o requirements.lock
	@$(COMPILE) pyproject.toml --group build --constraint requirements.lock -o requirements-core.lock
	@! grep -nE '://|--(index|extra|find)' requirements.lock requirements-core.lock

docs: $(STAMP)
	@$(BIN)/zensical build --clean --strict

# docs/releases.md
release: $(STAMP)
	@rm -rf dist
	@$(BIN)/python tools/release.py build dist
	@$(BIN)/python tools/release.py sign dist $(if $(KEY),--key $(KEY))

verify-release: $(STAMP)
	@$(BIN)/python tools/release.py verify dist --rebuild $(if $(KEY),--key $(KEY))

clean:
	@rm -rf .venv build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .mutation
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
