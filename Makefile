# One door for everything: `make check` is what continuous integration runs. `make` alone lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCK := requirements.lock
# Some machines forbid Python to keep what it compiled: then each worker of the tests compiles every test anew, and each program
# that they start all of Winnow, which takes as long as the tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: guards starts container-check load metamorphic fuzz-coverage soak injections audit sbom fuzz-http wheel home-assistant lexicon-audit kills help install lint format types contracts test test-slow test-homeassistant test-integrations fuzz hostile mutants docs check demo bench bench-peers figures scale compare train-embedder lock cli-docs api-docs site addresses changelog clean page-pictures

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

$(STAMP): $(LOCK) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Winnow needs Python 3.11 or newer; try make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

install: $(STAMP)  ## create .venv with the locked dependencies and Winnow itself

lint: $(STAMP)  ## style and complexity (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP)  ## let ruff fix and format what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP)  ## types (mypy, strict)
	$(BIN)/mypy

contracts: $(STAMP)  ## who may import whom (.importlinter)
	$(BIN)/lint-imports

test: $(STAMP)  ## all tests but the slow ones, in random order, without network
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: $(STAMP)  ## the slow tests: killed processes, several workers, terminals, thousands of sentences
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

DAMAGED ?= 10000
fuzz: $(STAMP)  ## damage the exports that come along, DAMAGED=10000 times; none may end in a traceback
	$(BIN)/python -m tests.damage --count $(DAMAGED)

REQUESTS ?= 20000
fuzz-http: $(STAMP)  ## send REQUESTS=20000 right, wrong and broken requests to a server; none may end in a traceback or a 500
	$(BIN)/python -m tests.http_fuzz --count $(REQUESTS)

HOSTILE ?= 50000
hostile: $(STAMP)  ## say HOSTILE=50000 hostile and broken sentences; none may end in a traceback, noise may do nothing
	$(BIN)/python -m tests.hostile --count $(HOSTILE)

FUZZ := .venv-fuzz
SECONDS ?= 60
$(FUZZ)/.installed: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target $(FUZZ) atheris
	@touch $@

fuzz-coverage: $(FUZZ)/.installed  ## feed every parser of outside data for SECONDS=60, led by its coverage (atheris, in .venv-fuzz)
	PYTHONPATH=$(FUZZ) $(BIN)/python -m tests.fuzz_coverage --seconds $(SECONDS)

TRIED ?= 500
metamorphic: $(STAMP)  ## change homes TRIED=500 times by each law (other names, another order, 3,000 more things): orders come to the same
	$(BIN)/python -m tests.metamorphic --count $(TRIED)

MINUTES ?= 30
soak: $(STAMP)  ## let a server work for MINUTES=30 while its home, documents and facts change: memory, answers, a clean end
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES)

injections: $(STAMP)  ## play all injections of tests/adversary: none may leave its quotation, none may open a door
	$(BIN)/python -m tests.adversary.injections

SUPPLY := .venv-supply
SUPPLY_NEEDS := scripts/supply/requirements.txt
$(SUPPLY)/.installed: $(SUPPLY_NEEDS)
	@test -x $(SUPPLY)/bin/python || $(PYTHON) -m venv $(SUPPLY)
	$(SUPPLY)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(SUPPLY_NEEDS)
	@touch $@

audit: $(SUPPLY)/.installed  ## look up the locked packages among known vulnerabilities, in .venv-supply; needs the network
	@scripts/supply/audit.sh $(SUPPLY)/bin/pip-audit $(LOCK)

sbom: $(SUPPLY)/.installed  ## build/sbom.json: what the locked packages are, as CycloneDX, in .venv-supply
	@mkdir -p build
	@PYTHONWARNINGS=ignore $(SUPPLY)/bin/cyclonedx-py requirements --pyproject pyproject.toml --mc-type library --output-reproducible --output-file build/sbom.json $(LOCK)
	@echo "build/sbom.json: $$(grep -c '"bom-ref": "requirements-' build/sbom.json) packages"

CONTAINER := .venv-container
CONTAINER_NEEDS := scripts/container/requirements.txt
$(CONTAINER)/.installed: $(CONTAINER_NEEDS)
	@test -x $(CONTAINER)/bin/python || $(PYTHON) -m venv $(CONTAINER)
	$(CONTAINER)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(CONTAINER_NEEDS)
	@touch $@

container-check: $(STAMP) $(CONTAINER)/.installed  ## read Dockerfile, compose.yaml and the unit with linters (.venv-container); as root, build and run the container without an engine
	$(CONTAINER)/bin/hadolint --failure-threshold style Dockerfile
	$(CONTAINER)/bin/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
	@mkdir -p build && $(CONTAINER)/bin/compose-lint --fail-on high compose.yaml >build/compose-lint.txt || { cat build/compose-lint.txt; exit 1; }
	@tail -n 1 build/compose-lint.txt
	$(BIN)/python -m scripts.container.run || test $$? = 2

# Home Assistant 2025.4 needs Python 3.13; on 3.11 it is the last version that runs there, without what acts on language models' behalf.
HA := .venv-ha
HA_WANTS := python3.13
HA_FOUND = $(HA_WANTS) $$(pyenv whence --path $(HA_WANTS) 2>/dev/null) $$(uv python find --no-python-downloads 3.13 2>/dev/null)
HA_PYTHON ?= $(shell for found in $(HA_FOUND); do "$$found" -c 'import sys; print(sys.executable)' 2>/dev/null && exit; done; echo $(PYTHON))
HA_TESTS := tests/homeassistant
HA_NEEDS := $(HA_TESTS)/requirements-oldest.txt
$(HA)/.installed: $(HA_NEEDS) $(HA_TESTS)/requirements.txt
	@$(HA_PYTHON) -c 'import sys; sys.version_info < (3, 13) and print("No $(HA_WANTS) found (make HA_PYTHON=/path/to/it): an old Home Assistant is installed, some of its tests are skipped.")'
	@test -x $(HA)/bin/python || $(HA_PYTHON) -m venv $(HA)
	$(HA)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(HA_NEEDS)
	@touch $@

HA_NEW := .venv-ha-new
test-homeassistant: $(STAMP) $(HA)/.installed  ## live homes and the integration in the oldest and the newest Home Assistant, in .venv-ha and .venv-ha-new
	$(BIN)/python -m pytest -q $(HA_TESTS)
	@if timeout 900 $(HA_TESTS)/newest.sh $(HA_NEW) "$(HA_PYTHON)"; then HASS=$(HA_NEW)/hass $(BIN)/python -m pytest -q $(HA_TESTS); \
	else echo "NOT TESTED against the newest Home Assistant: it could not be installed here." >&2; fi

starts: $(STAMP)  ## play the start pages by copy and paste in a clean clone and environment, and write docs/starts.md; needs the network
	$(BIN)/python -m scripts.starts

wheel: $(STAMP)  ## dist/*.whl: the library and the command, to be installed where no index has them
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

home-assistant:  ## dist/winnow.zip: the integration with the library in it, for HACS and for copying; needs Python alone
	$(PYTHON) scripts/home_assistant_zip.py dist/winnow.zip

lexicon-audit: $(STAMP)  ## what is wrong with ways of saying and words: in whose hands, unread, spare, of two acts, in one sentence only
	$(BIN)/python -m tests.said.audit

docs: $(STAMP)  ## only the tests that run README and docs/
	$(BIN)/python -m pytest -q tests/docs

N ?= 200
SEED ?= 1
ROOM ?=
mutants: $(STAMP)  ## put N=200 small faults into the rooms, one at a time; at least 80 % must be noticed (SEED=, ROOM=understand/intent, ROOM=each)
	$(BIN)/python -m tests.mutation --count $(N) --seed $(SEED) --room "$(ROOM)"

ROWS ?=
guards: $(STAMP)  ## take out what keeps each promise of docs/faults.md and docs/threat-model.md: the test of its row must fail (ROWS=words)
	$(BIN)/python -m tests.guards --only "$(ROWS)"

check: lint types contracts test test-slow  ## lint, types, contracts, tests and docs: the only door (docs are part of the tests)

demo: $(STAMP)  ## a guided tour; nothing is stored
	$(BIN)/winnow demo

ONLY ?=
KEEP ?=
bench: $(STAMP)  ## run every evaluation that runs offline and compare the figures with the stored ones (ONLY=name,name; KEEP=1 stores them)
	$(BIN)/python -m benchmarks.bench --only "$(ONLY)" $(if $(KEEP),--keep)

figures: $(STAMP)  ## write the figures of README and docs, and the charts, anew from benchmarks/results
	$(BIN)/python -m benchmarks.pages

scale: $(STAMP)  ## a million messages of ten thousand persons on SQLite and PostgreSQL: time, memory, whose rows are seen
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.scale

load: $(STAMP)  ## one server under 200 connections beside the same engine in process: errors, throughput, waiting, memory
	$(BIN)/python -m benchmarks.load

INTEGRATIONS := .venv-integrations
INTEGRATIONS_NEED := tests/integrations/requirements.txt
$(INTEGRATIONS)/.installed: $(INTEGRATIONS_NEED) $(LOCK)
	@test -x $(INTEGRATIONS)/bin/python || $(PYTHON) -m venv $(INTEGRATIONS)
	$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(LOCK)
	$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(INTEGRATIONS_NEED)
	$(INTEGRATIONS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

test-integrations: $(INTEGRATIONS)/.installed  ## adapters and examples with LangChain, LlamaIndex and Haystack, in .venv-integrations
	$(INTEGRATIONS)/bin/python -m pytest -q -n 0 tests/integrations tests/examples

PEERS := .venv-peers
PEERS_NEED := benchmarks/peers_of_history/requirements.txt
$(PEERS)/.installed: $(PEERS_NEED) $(LOCK)
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(PEERS_NEED) --editable .
	@touch $@

bench-peers: $(PEERS)/.installed  ## histories and homes beside what others use, in .venv-peers (WINNOW_BENCH=/path/to/data)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PEERS)/bin/python -m benchmarks.peers_of_history
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(PEERS)/bin/python -m benchmarks.recognizer

KILLS ?= 50
kills: $(STAMP)  ## kill winnow messages precompute KILLS=50 times; nothing may be lost, nothing embedded twice by a server that can help it
	$(BIN)/python -m benchmarks.kills --kills $(KILLS)
	$(BIN)/python -m benchmarks.kills --kills $(KILLS) --ignores-keys

OTHER ?=
compare: $(STAMP)  ## time whole turns of this checkout beside those of another, in one run (OTHER=/path/to/checkout)
	@test -d "$(OTHER)/src" || { echo "No checkout at '$(OTHER)'; git worktree add ../other main, then: make compare OTHER=../other"; exit 2; }
	$(BIN)/python -m benchmarks.compare $(OTHER)

PAIRS ?= pairs_permissive.tgz
TRAINING := .venv-training
train-embedder: $(STAMP)  ## train the table of the embedder on PAIRS=archive, in an environment of its own, and compare its figures
	@test -f "$(PAIRS)" || { echo "No archive of pairs at $(PAIRS); see docs/embedder.md, then: make train-embedder PAIRS=/path/to/pairs.tgz"; exit 2; }
	test -x $(TRAINING)/bin/python || $(PYTHON) -m venv $(TRAINING)
	$(TRAINING)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(TRAINING)/bin/python -m pip install --quiet --disable-pip-version-check --group embedder --editable .
	$(TRAINING)/bin/python -m training.embedder.train $(PAIRS) --to build/embedder
	$(BIN)/python -m benchmarks.meaning --table build/embedder --check

lock: $(STAMP)  ## resolve requirements.lock anew for every supported Python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-index-url --no-annotate --upgrade --quiet --output-file $(LOCK)

cli-docs: $(STAMP)  ## write the command reference of docs/cli.md anew
	$(BIN)/python scripts/cli_docs.py

api-docs: $(STAMP)  ## write docs/http-reference.md and docs/mcp-reference.md anew
	$(BIN)/python scripts/api_docs.py

SITE := .venv-site
SITE_NEEDS := scripts/site/requirements.txt
$(SITE)/.installed: $(SITE_NEEDS)
	@test -x $(SITE)/bin/python || $(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(SITE_NEEDS)
	@touch $@

site: $(SITE)/.installed  ## build/site: the documentation as a site, in .venv-site; a wrong link stops it, and whatever would be loaded from elsewhere
	NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict --clean

addresses: $(STAMP)  ## write the addresses of pyproject.toml to where they are needed
	$(BIN)/python scripts/addresses.py

page-pictures: $(STAMP)  ## draw the pictures of the page anew, in a Chromium of this machine
	$(BIN)/python -m scripts.page_pictures

changelog: $(STAMP)  ## preview the next section of CHANGELOG.md
	$(BIN)/towncrier build --draft --version next

clean:  ## remove everything that make created
	rm -rf $(VENV) $(TRAINING) $(HA) $(HA_NEW) $(PEERS) $(INTEGRATIONS) $(SITE) $(SUPPLY) $(FUZZ) $(CONTAINER) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find src tests benchmarks examples scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
