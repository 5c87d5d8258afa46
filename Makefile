# `make` shows what there is to make.
PYTHON ?= $(if $(wildcard .venv/bin/python),.venv/bin/python,python3)
LOCK := uv pip compile pyproject.toml --extra test --extra dev --universal --python-version 3.11 \
	--no-emit-index-url --no-annotate --no-header --quiet

.DEFAULT_GOAL := help
.PHONY: help setup check format output schema docs lock mirror

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 17

setup: ## a virtual environment in .venv with everything a developer needs
	python3 -m venv .venv
	.venv/bin/pip install -q -c requirements.lock -e '.[dev]'

check: ## format, lint, types and tests, as CI runs them
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest

format: ## let ruff put the code into shape
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

output: ## rebuild the committed outputs of all blueprints; review them with git diff
	@set -e; for blueprint in blueprints/*.yaml; do \
		echo "$$blueprint"; $(PYTHON) -m dcgen build "$$blueprint" -o output --gallery > /dev/null; \
	done

schema: ## the JSON schemas that editors read
	$(PYTHON) -m dcgen schema > docs/blueprint.schema.json
	$(PYTHON) -m dcgen schema part > docs/part.schema.json

docs: schema ## every page under docs/ that is made by a program
	PYTHONPATH=. $(PYTHON) docs/generate.py

lock: ## pin the newest versions that suit Python 3.11 in requirements.lock (needs uv)
	echo '# Versions that CI tests with; made by `make lock`, used as `pip install -c requirements.lock`.' > requirements.lock
	$(LOCK) >> requirements.lock

mirror: ## the longest files and functions, for the eye only
	@$(PYTHON) -m pytest -s tests/test_house.py -k mirror
