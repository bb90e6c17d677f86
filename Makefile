# make            tells what there is
# make lab        opens JupyterLab on the first notebook
# make test       runs what a change must pass

PYTHON ?= python3
BIN    := .venv/bin
CHECK  ?=
# Tests run on all cores; `make test WORKERS=` runs them one after the other.
WORKERS ?= -n logical --dist loadgroup

.DEFAULT_GOAL := help
.PHONY: help lab test test-all lint fix types bench notebooks demo clean

help:       ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

lab: .venv/.lab  ## open JupyterLab on notebook 01 (CHECK=1: without a browser, then stop)
	@$(BIN)/python tools/lab.py $(if $(filter 1 true yes,$(CHECK)),--check)

test: lint types  ## ruff, mypy and pytest without the slow tests
	$(BIN)/python -m pytest $(WORKERS)

test-all: lint types  ## the same with the slow tests and many more random cases
	HYPOTHESIS_PROFILE=full $(BIN)/python -m pytest -m "" $(WORKERS)

lint: .venv/.dev  ## ruff: rules and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

fix: .venv/.dev  ## let ruff mend and format what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: .venv/.dev  ## mypy, strict
	$(BIN)/mypy

bench: .venv/.dev  ## the numbers of the README, measured here
	$(BIN)/python -m tests.benchmarks.run

notebooks: .venv/.lab  ## run every notebook and leave it as it is committed
	$(BIN)/python tools/clean_notebooks.py --run notebooks/*.ipynb

demo: .venv/.lab  ## make the demo memory anew
	$(BIN)/python notebooks/make_demo.py

clean:      ## remove caches and builds (.venv stays)
	rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find smemkit widgets tests tools notebooks -name __pycache__ -prune -exec rm -rf {} +

# The two files stand for "installed since pyproject.toml last changed".
.venv/.lab: pyproject.toml | .venv/bin/python
	@echo 'installing smemkit and JupyterLab into .venv; the first time takes minutes'
	@$(BIN)/python -m pip install --quiet --editable '.[lab]'
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	@echo 'installing smemkit and its development tools into .venv'
	@$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ .venv/.lab

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "smemkit needs Python 3.11 or newer, and there is no '$(PYTHON)': install it, or name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "smemkit needs Python 3.11 or newer, but '$(PYTHON)' is `$(PYTHON) -V 2>&1`: name a newer one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo "'$(PYTHON) -m venv' failed; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
