# Codepool: everyday commands. Every target sets up what it needs; `make help` lists them.
#
# Needs Python 3.11 or newer with venv and pip: Deno comes as a Python package. The tests also
# need Node.js 18 or newer and npm, for the programs of others that they run against.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check

# Deno keeps its cache inside the environment and looks nothing up on the network.
DENO   := DENO_DIR=$(VENV)/deno-cache DENO_NO_UPDATE_CHECK=1 $(BIN)/deno
DENO_CONFIG := --config runtime_js/deno.json
JAVASCRIPT := runtime_js tests/peers/pi_codemode.mjs tests/tools/typescript/check.mjs

.DEFAULT_GOAL := help
.PHONY: help setup run test lint format types attacks mutants bench soak fuzz peers lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(READY) ## Create .venv from the lock file

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Codepool needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3' >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes --requirement requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

run: $(READY) ## Run an example program over this repository and print its result
	@$(BIN)/codepool run examples/repository_report.js --workspace .

# Programs that tests start: MCP servers of others, and a compiler of TypeScript.
NPM_READY := $(VENV)/npm/.ready

$(NPM_READY): tests/npm/package.json tests/npm/package-lock.json | $(READY)
	@command -v npm >/dev/null || { echo 'the tests need Node.js and npm' >&2; exit 2; }
	@mkdir -p $(VENV)/npm
	cp $^ $(VENV)/npm/
	npm ci --prefix $(VENV)/npm --ignore-scripts --no-audit --no-fund --prefer-offline
	@touch $@

test: lint $(NPM_READY) ## Check everything: linters, types, tests
	$(BIN)/pytest

lint: $(READY) types ## Check style, formatting, types and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(DENO) fmt $(DENO_CONFIG) --check $(JAVASCRIPT)
	$(DENO) lint $(DENO_CONFIG) $(JAVASCRIPT)

types: $(READY) ## Check the types of Python and JavaScript
	$(BIN)/mypy
	$(DENO) check --quiet $(DENO_CONFIG) runtime_js

format: $(READY) ## Rewrite files in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(DENO) fmt $(DENO_CONFIG) $(JAVASCRIPT)

mutants: $(READY) ## Take one security measure away at a time: its attacks must notice
	@$(BIN)/python tests/security/mutants.py

bench: $(READY) ## Measure, and print the report
	$(BIN)/python -m benchmarks

soak: $(READY) ## Thousands of mixed runs; watch descriptors, threads, zombies and memory
	$(BIN)/python -m benchmarks.soak

attacks: $(READY) ## Run every attack program in both worker modes; print the table (5 minutes)
	$(BIN)/python tests/security/report.py

# Not in the lock file: nothing else needs it, and it has wheels for few versions of Python.
ATHERIS := atheris==3.0.0
FUZZ_SECONDS ?= 60

fuzz: $(READY) ## Look for bytes of a worker that break the host, for FUZZ_SECONDS
	$(PIP) install --only-binary :all: $(ATHERIS)
	@mkdir -p $(VENV)/fuzz
	PYTHONPATH=tests $(BIN)/python -m fuzz $(VENV)/fuzz/corpus -artifact_prefix=$(VENV)/fuzz/ \
	  -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 -max_len=16384 \
	  -print_final_stats=1

# Not a dependency: it is asked the same questions, and nothing else needs it.
PI_CODEMODE := @earendil-works/pi-codemode@1.6.0

peers: $(READY) ## Run the conformance rows on another implementation too (Node.js and npm)
	@mkdir -p $(VENV)/peers
	npm install --prefix $(VENV)/peers --no-save --no-audit --no-fund --prefer-offline $(PI_CODEMODE)
	$(BIN)/python tests/peers/side_by_side.py $(VENV)/peers

lock: $(READY) ## Choose newer versions and write requirements.lock again (needs uv)
	uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --group dev --output-file $(VENV)/new.lock pyproject.toml
	sed -n '/^#/p;/^[^#]/q' requirements.lock > $(VENV)/head.lock
	cat $(VENV)/head.lock $(VENV)/new.lock > requirements.lock

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) build dist .coverage .hypothesis .import_linter_cache \
	  .mypy_cache .pytest_cache .ruff_cache benchmarks/results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
