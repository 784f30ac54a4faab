# `make demo` and `make test` need Python >= 3.11 and PyPI, nothing else: the environment is made in .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
RUN    := $(BIN)/python

.PHONY: help demo test test-corpus machine bench lint format table docs dist clean

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/dev: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(VENV)/bench: $(VENV)/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	touch $@

demo: $(VENV)/dev ## what the project does, shown on a fixture
	$(RUN) examples/demo.py

test: $(VENV)/dev ## all tests but the runs over whole libraries
	$(RUN) -m pytest -n auto -m 'not corpus'

test-corpus: $(VENV)/dev ## every file of the Standard Library, numbers printed
	$(RUN) -m pytest -m corpus -s

# Commands that tests use and pip can't install, each with its package in Debian. A test skips where its command is
# missing, and fails with CI=true. Only Debian and its like know these names, and only root may install.
MACHINE := chromium:chromium chromedriver:chromium-driver zsh:zsh fish:fish strace:strace

machine: ## browser, shells and strace for the tests that use them, from the packages of Debian
	@packages=; for each in $(MACHINE); do \
	  command -v "$${each%%:*}" >/dev/null || packages="$$packages $${each#*:}"; \
	done; \
	test -z "$$packages" || \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$packages >/dev/null; } || \
	  echo "could not install$$packages: the tests that use them will be skipped, or fail with CI=true"

bench: $(VENV)/bench ## our speed and memory against other parsers, in one run; then what a command costs, that time grows with the input, and what questions about a whole library cost
	$(RUN) benchmarks/bench.py
	$(RUN) benchmarks/commands.py
	$(RUN) benchmarks/robots.py
	$(RUN) benchmarks/typed_import.py
	$(RUN) benchmarks/linear.py
	$(RUN) benchmarks/phrases.py
	$(RUN) benchmarks/libraries.py

lint: $(VENV)/dev ## ruff, strict types, and what is generated is up to date
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(RUN) grammar/build_table.py --check
	$(RUN) docs/build_reference.py --check
	$(RUN) docs/build_commands.py --check

format: $(VENV)/dev ## let ruff format and fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

table: $(VENV)/dev ## rebuild the parse table after a change of the grammar
	$(RUN) grammar/build_table.py

docs: $(VENV)/dev ## rebuild the API reference and the page of commands after a change of a docstring or a help text
	$(RUN) docs/build_reference.py
	$(RUN) docs/build_commands.py

dist: $(VENV)/dev ## sdist and wheel in dist/
	$(RUN) -m build

clean: ## remove everything that make made
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache src/*.egg-info
