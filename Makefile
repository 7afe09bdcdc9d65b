# Everything a fresh machine with Python 3.11 or newer and make needs.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test test-long coverage lint kernels bench clean

demo: $(READY)  ## solve a real photograph and show where the pictures are
	$(BIN)/jigsolve demo

test: $(READY)  ## everything a change must pass
	$(MAKE) --no-print-directory --jobs=2 --output-sync lint kernels
	$(BIN)/pytest

test-long: $(READY)  ## what takes minutes, too; properties are tried on new examples
	$(BIN)/pytest -m 'long or not long' --hypothesis-profile anew

coverage: $(READY)  ## which lines no test runs; of kernels, which are compiled, nothing is known
	$(BIN)/pytest --cov --cov-report=term-missing

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

kernels: $(READY)  ## compile what the first run of each solver compiles, unless it is compiled
	$(BIN)/python tests/compiled.py

bench: $(READY)  ## what a child costs, stage by stage
	$(BIN)/python benchmarks/speed.py

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed"'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $(READY)

clean:
	rm -rf .venv .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
