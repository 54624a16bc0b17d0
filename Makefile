# Plimsoll. `make run` serves the app, `make test` runs everything; `make help` lists the rest.

PYTHON  ?= python3
ADDRESS ?= 127.0.0.1
PORT    ?= 8501
FUZZ_SECONDS ?= 60
VENV    := .venv
BIN     := $(VENV)/bin
# Where Python was told to write no byte code, every start would compile all libraries anew.
COMPILE := $(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
# The same for this checkout: tests start hundreds of processes, and pytest rewrites every test at each start.
export PYTHONDONTWRITEBYTECODE :=
# The matrices of the method are small: threads that share one wait for each other, for 4 to 6 times its work.
export OPENBLAS_NUM_THREADS := 1
LOCK    := uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --quiet

.DEFAULT_GOAL := help
.PHONY: help run test lint types layers unit importer browser replicas journeys services chromium cover fuzz messages audit lock bench clean

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

run: $(VENV)/.run ## serve the app (ADDRESS=127.0.0.1 PORT=8501)
	FORWARDED_ALLOW_IPS= $(BIN)/python -m streamlit run serve/asgi.py --server.address $(ADDRESS) --server.port $(PORT)

test: lint types layers unit journeys ## everything: lint, types, layers, unit, laws, golden, pages, browser, replicas

lint: $(VENV)/.dev ## formatting and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.dev ## mypy --strict on core
	$(BIN)/mypy --num-workers auto

layers: $(VENV)/.dev ## the import contract
	PYTHONPATH=. $(BIN)/lint-imports

unit: $(VENV)/.dev ## unit, laws, golden and page tests
	@scripts/services || echo "Tests that need them are skipped." >&2
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not browser and not fuzz and not replicas"

importer: $(VENV)/.dev ## what a new format may break: FORMAT=fmperf
	@test -n "$(FORMAT)" || { echo "Which format? make importer FORMAT=fmperf" >&2; exit 1; }
	$(BIN)/python -m pytest -q tests/golden tests/fuzz tests/ingest tests/test_docs_formats.py tests/test_codes.py \
	  tests/present/test_locale.py -m "not fuzz" -k "$(FORMAT) or test_docs_formats or test_codes or test_locale"

browser: $(VENV)/.dev chromium services ## journeys in a real Chromium, on SQLite and PostgreSQL
	CHROMIUM="$$(scripts/chromium)" $(BIN)/python -m pytest tests/browser -m browser

replicas: $(VENV)/.dev chromium services ## two servers, a proxy and PostgreSQL, in a real Chromium
	CHROMIUM="$$(scripts/chromium)" $(BIN)/python -m pytest tests/replicas -m replicas

journeys: $(VENV)/.dev chromium services ## both of these, beside each other
	CHROMIUM="$$(scripts/chromium)" $(BIN)/python -m pytest tests/browser tests/replicas -n auto --dist worksteal -m "browser or replicas"

services: ## make sure that PostgreSQL, nginx and what reads a PDF are there
	@scripts/services

chromium: $(VENV)/.dev ## make sure that a Chromium is there
	@scripts/chromium

cover: $(VENV)/.dev ## golden files and importers' tests, and that they reach 95 % of the lines of reading
	$(BIN)/coverage run --source=core/ingest -m pytest tests/golden tests/ingest tests/fuzz -q -m "not fuzz" -k "not huge_file"
	$(BIN)/coverage report --skip-covered --fail-under=95

fuzz: $(VENV)/.dev ## every golden file damaged, and FUZZ_SECONDS of coverage-guided fuzzing for each format
	$(BIN)/python -m pytest -q tests/fuzz tests/golden tests/ingest/test_hostile.py
	$(BIN)/python -m tests.fuzz.fuzz_reading --all $(FUZZ_SECONDS)

messages: $(VENV)/.dev ## list sentences that the Korean catalogue lacks, and how to add them
	$(BIN)/python scripts/messages.py

lock: $(VENV)/.dev ## renew the lock files from the ranges
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/$(LOCK) requirements.txt -o requirements.lock
	$(BIN)/$(LOCK) requirements-server.txt -c requirements.lock -o requirements-server.lock
	$(BIN)/$(LOCK) requirements-dev.txt -c requirements-server.lock -o requirements-dev.lock

audit: $(VENV)/.dev ## known vulnerabilities of what requirements-server.lock pins (asks the package index)
	$(BIN)/pip-audit -r requirements-server.lock --require-hashes --disable-pip --strict

bench: $(VENV)/.dev ## accuracy and speed, printed and written to benchmarks/
	$(BIN)/python -m benchmarks.accuracy.run
	$(BIN)/python -m benchmarks.accuracy.cost_coverage
	$(BIN)/python -m benchmarks.accuracy.cost
	PYTHONPATH=. $(BIN)/python benchmarks/speed/run.py

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache test-results

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Plimsoll needs Python 3.11 or newer; $(PYTHON) is older. Try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "Python cannot make a virtual environment. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.run: requirements.lock | $(VENV)/bin/python
	@echo "Installing what requirements.lock names into $(VENV); this takes a minute or two …"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(COMPILE)
	touch $@

$(VENV)/.dev: requirements-dev.lock | $(VENV)/bin/python
	@echo "Installing what requirements-dev.lock names into $(VENV); this takes a minute or two …"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(COMPILE)
	touch $(VENV)/.run $@
