# make run   the dashboard, in a virtual environment of its own
# make test  every check: formatting, types, tests (browser tests where there is Chromium)
# make docs  the documentation as a site, in build/docs
# make bench the benchmarks of docs/benchmarks.md
# make lock  renew requirements.lock from pyproject.toml (needs uv)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# What one process compiles serves the hundreds that the tests start, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test tests browser style types docs bench lock clean

run: $(READY)
	$(BIN)/alc dashboard

test: style
	@$(MAKE) --no-print-directory --jobs=3 types tests browser

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/python docs/examples.py build
	$(BIN)/mypy alc_core build/doc_examples

tests: $(READY)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal \
		--ignore=tests/browser

# Beside the others: it mostly waits, for what a browser and a server do. It tells all at its end.
browser: $(READY)
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/browser > $(VENV)/browser.txt 2>&1; \
		status=$$?; cat $(VENV)/browser.txt; exit $$status

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

bench: $(READY)
	$(BIN)/python benchmarks/assessment.py
	$(BIN)/python benchmarks/interval_coverage.py
	$(BIN)/python benchmarks/false_alarms.py
	$(BIN)/python benchmarks/leak_curves.py
	$(BIN)/python benchmarks/target_numbers.py
	$(BIN)/python benchmarks/scan.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/rescoring.py
	$(BIN)/python benchmarks/pages.py
	$(BIN)/python benchmarks/campaign.py
	$(BIN)/python benchmarks/large_release.py
	$(BIN)/python benchmarks/learning_attacks.py
	$(BIN)/python benchmarks/rapid.py
	$(BIN)/python benchmarks/risk_numbers.py
	$(BIN)/python benchmarks/peers.py

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed; name one with: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -qq --workers 0 $(VENV)/lib alc_core || true # some are for other Pythons
	@touch $@

lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --upgrade -o requirements.lock

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
