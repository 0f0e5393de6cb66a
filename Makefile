# Each target does its own set-up: a virtual environment in .venv with everything pinned in requirements.lock.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup check test chaos bench demo documents format lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: .venv/.ready ## make the virtual environment

.venv/.ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Simon Race needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.lock -e '.[server,embedded,dev]'
	@touch $@

check: setup ## format, lint, types, architecture, and that a move costs no more than it did
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m bench.regression

test: setup ## the whole test suite, on a real Redis or Valkey
	$(BIN)/pytest

chaos: setup ## the chaos suite in its long form: servers and stores killed, stopped, cut off
	$(BIN)/pytest tests/chaos --long

bench: setup ## what a move costs, with a table for people and JSON for machines
	$(BIN)/python -m bench

demo: setup ## four bots race over real sockets; the result is verified offline
	$(BIN)/python -m client_cli.demo $(if $(SPEED),--speed $(SPEED))

documents: setup ## make again what is made from code: protocol, catalogues, pictures
	$(BIN)/python docs/protocol/build.py
	$(BIN)/python client_cli/locales/build.py
	PYTHONPATH=tests/support $(BIN)/python -m fullscreen.goldens
	PYTHONPATH=tests/support $(BIN)/python docs/pictures/build.py

format: setup ## put the code in form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: setup ## pin current versions of every dependency
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --universal --upgrade --python-version 3.11 --all-extras --no-header \
	  --no-emit-index-url pyproject.toml -o requirements.lock

clean: ## remove what make made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
