# Chingoo. `make run` starts the service, `make test` runs the tests; each sets itself up first.
.DEFAULT_GOAL := help
.PHONY: help setup run test soak mutate weigh detector lint bench-decide bench licences lock clean

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed

help:  ## what there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

setup: $(STAMP)  ## the virtual environment, made once and again when the lock or what is compiled changes

$(STAMP): requirements.lock pyproject.toml tools/setup.sh $(wildcard src/chingoo/*/*.pyx src/chingoo/*/*.pxd)
	@sh tools/setup.sh $(VENV)
	@touch $@

run: $(STAMP)  ## start the service (settings: see README.md)
	@exec $(VENV)/bin/chingoo serve

test: $(STAMP)  ## all tests that a change must pass
	@$(PY) -m pytest -n 2 --dist loadgroup

soak: $(STAMP)  ## the long ones: load, kill -9 under load, large fuzzing
	@$(PY) -m pip --disable-pip-version-check -q install --require-hashes --only-binary :all: -r tools/soak.lock
	@$(PY) tools/fuzz_evaluate.py 600
	@$(PY) -m pytest -m soak -o addopts="-q --import-mode=importlib" -s

mutate: $(STAMP)  ## every typo that there could be in a safety rule, and the case that would notice it where none does
	@$(PY) tools/mutate_policies.py

weigh: $(STAMP)  ## learn anew what the word lists weigh (policies/weighing.yaml), from labelled lines (evaluation) and the corpus
	@$(PY) -m pip --disable-pip-version-check -q install --require-hashes --only-binary :all: -r tools/weigh.lock
	@$(PY) tools/weigh.py

detector: $(STAMP)  ## learn anew what `chingoo detector` listens with (src/chingoo/hearing/head.*), from the same lines
	@$(PY) -m pip --disable-pip-version-check -q install --require-hashes --only-binary :all: -r tools/weigh.lock
	@$(PY) tools/learn_detector.py

lint: $(STAMP)  ## ruff, strict mypy, import contracts, the policies and their cases
	@$(VENV)/bin/ruff check src tests tools
	@$(VENV)/bin/ruff format --check src tests tools
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(VENV)/bin/chingoo policy check
	@$(VENV)/bin/chingoo policy test --strict

bench-decide: $(STAMP)  ## the decision alone: by language, step and size of the lists, and texts made to be slow
	@$(PY) tools/bench_decide.py

bench: $(STAMP)  ## figures beside their baselines, in one run
	@$(PY) tools/bench_check.py
	@$(PY) tools/bench_decide.py
	@$(PY) tools/bench_turn.py

licences: $(STAMP)  ## every package, its licence, and the data that comes with it
	@$(PY) tools/licences.py

lock: $(STAMP)  ## resolve the dependencies again
	@sh tools/lock.sh $(VENV)

clean:  ## remove the virtual environment; the data folder stays
	@rm -rf $(VENV)
