# `make demo` and `make test` need Python >= 3.11 and PyPI, nothing else. .venv/plain has the package as users install
# it (50 MB), .venv the developers' tools too (1.5 GB), .venv/docs what builds the pages (250 MB).
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
RUN    := $(BIN)/python

# PERF: tests start hundreds of processes, which would all compile what they import.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-slow test-corpus machine bench lint format table docs pictures dist clean

help:
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

NEW_PYTHON := $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'

$(VENV)/plain: pyproject.toml
	@$(NEW_PYTHON)
	@echo "Installing the package and what it needs in $@, about 50 MB ..."
	@rm -rf $@ && $(PYTHON) -m venv $@
	@$@/bin/pip install --disable-pip-version-check --editable . || { rm -rf $@; exit 1; }
	@touch $@

$(VENV)/dev: pyproject.toml
	@$(NEW_PYTHON)
	@echo "Installing the developers' tools in $(VENV), about 1.5 GB ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)/bench: $(VENV)/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	touch $@

demo: $(VENV)/plain ## what the project does, shown on a fixture
	@$(VENV)/plain/bin/python examples/demo.py

test: $(VENV)/dev ## what to run before a commit: all tests but the slow ones, random tests with few examples
	@$(RUN) -m pytest -q -n auto --dist worksteal -m 'not slow and not corpus'

test-slow: $(VENV)/dev ## the slow tests, and random tests with many examples
	@HYPOTHESIS_PROFILE=slow $(RUN) -m pytest -q -n auto --dist worksteal -m '(slow or hypothesis) and not corpus'

test-corpus: $(VENV)/dev ## every file of the Standard Library, numbers printed
	@HYPOTHESIS_PROFILE=slow $(RUN) -m pytest -m corpus -s

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

bench: $(VENV)/bench ## our speed and memory against other parsers, in one run; then what a command costs, that time grows with the input, what questions about a whole library cost, and what it costs to simulate and verify robots, once and again
	$(RUN) benchmarks/bench.py
	$(RUN) benchmarks/commands.py
	$(RUN) benchmarks/robots.py
	$(RUN) benchmarks/typed_import.py
	$(RUN) benchmarks/linear.py
	$(RUN) benchmarks/phrases.py
	$(RUN) benchmarks/libraries.py
	$(RUN) benchmarks/simulations.py

lint: $(VENV)/dev ## ruff, strict types, and the parse table fits the grammar
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(RUN) grammar/build_table.py --check

format: $(VENV)/dev ## let ruff format and fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

table: $(VENV)/dev ## rebuild the parse table after a change of the grammar
	$(RUN) grammar/build_table.py

$(VENV)/docs: pyproject.toml
	@$(NEW_PYTHON)
	@echo "Installing what builds the pages in $@, about 250 MB ..."
	@rm -rf $@ && $(PYTHON) -m venv $@
	@$@/bin/pip install --disable-pip-version-check --editable '.[docs]' || { rm -rf $@; exit 1; }
	@touch $@

docs: $(VENV)/docs ## the documentation as a site in build/site, with search; a broken link fails
	@NO_MKDOCS_2_WARNING=1 $(VENV)/docs/bin/mkdocs build

pictures: $(VENV)/dev ## the pictures of README and docs anew; needs `make machine` and the Standard Library
	$(RUN) docs/build_pictures.py

dist: $(VENV)/dev ## sdist and wheel in dist/
	$(RUN) -m build

clean: ## remove everything that make made
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache src/*.egg-info
