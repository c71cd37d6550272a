# Each of demo, test, check and bench does all its own set-up; Python 3.11 or later, make and git are enough.
#   make demo    one scripted conversation, offline, from the first tool list to the answer
#   make test    every test, against real servers on loopback
#   make check   style, types, and the house rules: layers, generated files, doctests, sizes
#   make bench   the figures that the README quotes
#   make fuzz    100,000 arbitrary values into each place where a model's or a server's come in; takes an hour
#   make lower   the oldest releases that pyproject.toml admits, in environments of their own
# Under CI=true what is installed is what hashes.txt names, byte for byte.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

define install_locked
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes --requirement hashes.txt
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m pip check
endef

.PHONY: demo test check bench fuzz lower format generate constraints clean
.DELETE_ON_ERROR:

demo: $(VENV)/.demo
	$(BIN)/charter demo

test: $(VENV)/.test
	$(BIN)/python -m tests.counterparties.node
	$(BIN)/python -m pytest

check: $(VENV)/.check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/python -m pytest --quiet tests/house
	$(BIN)/python tools/readme_figures.py --check
	$(BIN)/charter compile --check

bench: $(VENV)/.test
	$(BIN)/python -m bench

fuzz: $(VENV)/.test
	$(BIN)/python -m pytest tests/fuzz

lower: $(VENV)/.check
	$(BIN)/python tools/lower_bounds.py

format: $(VENV)/.check
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

generate: $(VENV)/.check
	$(BIN)/python tools/make_map.py
	$(BIN)/python tools/make_failures.py
	$(BIN)/charter compile
	$(BIN)/python tools/make_stems.py
	$(BIN)/python tools/readme_figures.py

# After a change of dependencies: install afresh without the old pins, then write the new ones and their hashes.
# pip takes no hashes in a constraints file beside an editable install, so they are in a file of their own.
constraints:
	$(MAKE) clean
	: > constraints.txt
	$(MAKE) $(VENV)/.check
	$(BIN)/python -m pip freeze --exclude-editable --exclude pip > constraints.new
	mv constraints.new constraints.txt
	$(BIN)/python -m uv --quiet pip compile constraints.txt --no-deps --generate-hashes --no-header --no-annotate \
	  --output-file hashes.txt

clean:
	rm -rf $(VENV) .cache .pytest_cache .ruff_cache .hypothesis

# pip 25.1 is the first that installs dependency groups; a fresh venv may hold an older one.
$(VENV)/.pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is not Python 3.11 or later. Run make PYTHON=/path/to/python3.11 instead." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --disable-pip-version-check install --quiet --upgrade 'pip>=25.1'
	touch $@

$(VENV)/.demo: pyproject.toml constraints.txt | $(VENV)/.pip
	$(PIP) --editable '.[cli]'
	touch $@

$(VENV)/.test: pyproject.toml constraints.txt hashes.txt | $(VENV)/.pip
ifeq ($(CI),true)
	$(install_locked)
else
	$(PIP) --editable '.[all]' --group test
endif
	touch $@ $(VENV)/.demo

$(VENV)/.check: pyproject.toml constraints.txt hashes.txt | $(VENV)/.pip
ifeq ($(CI),true)
	$(install_locked)
else
	$(PIP) --editable '.[all]' --group test --group lint --group build
endif
	touch $@ $(VENV)/.test $(VENV)/.demo
