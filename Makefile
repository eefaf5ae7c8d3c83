# The two commands of the README are `make play` and `make test`; each does its own set-up.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready-for-play
TESTED := .venv/.ready-for-tests
PACKED := .venv/.ready-for-packages
SPOKEN := $(patsubst %.po,%.mo,$(wildcard companion/locale/*/LC_MESSAGES/*.po))
# The phones of the house reach the table only where HOST is not this machine alone.
HOST ?= 0.0.0.0
PORT ?= 8000
DATA ?= data

# Where nothing compiled is kept, each of the hundreds of processes that a run starts compiles the
# whole program again, and each worker all tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play demo test tested long check checked lint debian bench golden perft locale rules clauses turn measure mutants ladder driven study pinmap case boards test-boards pictures moving site evening faults late fuzz test-kernel test-guide test-install test-image soak lock deb release clean

play: $(READY)
	$(BIN)/companion race --data $(DATA) --host $(HOST) --port $(PORT)

# Lint keeps one core busy, so it runs beside the tests.
test: $(TESTED) debian
	$(MAKE) -j 2 lint tested

tested: $(TESTED)
	$(BIN)/pytest -n 3 --dist worksteal -m "not long"

# The longest races and evenings, boards held against races, 200 pulled plugs, and all the seeds,
# faults, corpus and twins of which `make test` takes a few: a quarter of an hour; CI runs it after
# `make test`.
long: $(TESTED) debian
	$(BIN)/pytest -n 2 --dist worksteal -m long

# A minute on two cores: what a developer runs all the time. The league has its own part in `make test`.
check: $(TESTED)
	$(MAKE) -j 2 lint checked

checked: $(TESTED)
	$(BIN)/pytest -n 3 --dist worksteal -m "not slow and not long" -q --ignore=tests/league --ignore=tests/web/league

lint: $(TESTED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tests drive a real browser, watch a real process, draw diagrams and the case, print, and flash a
# board that is not there; all come from Debian.
debian:
	@sh tools/debian-packages.sh chromium-headless-shell strace graphviz openscad avrdude postgresql \
		weasyprint \
		gcc-avr avr-libc arduino-core-avr simavr libsimavr-dev libelf-dev \
		gcc-arm-none-eabi

bench: $(TESTED)
	@failed=0; for file in benchmarks/[a-z]*.py; do echo "== $$file"; PYTHONPATH=tests $(BIN)/python $$file || failed=1; done; exit $$failed

golden: $(TESTED)
	RENEW_GOLDEN=1 $(BIN)/pytest -q tests/drawing

perft: $(TESTED)
	PYTHONPATH=tests $(BIN)/python -m support.formula.perft

locale: $(TESTED)
	$(BIN)/python tools/catalogues.py

# docs/rules.md: which module decides each rule, which tests show it.
rules: $(TESTED)
	$(BIN)/python tools/rules.py

# docs/masters.md: what shows each clause of the pack, by playing it.
clauses: $(TESTED)
	PYTHONPATH=tests $(BIN)/python tools/clauses.py

# docs/turn.svg: the points of a turn and their steps.
turn: $(TESTED)
	$(BIN)/python tools/turn.py

# What the program is like to work on, in figures; other checkouts: tools/measure.py --at PATH.
measure: $(TESTED)
	$(BIN)/python tools/measure.py

# Faults built into the rules, each of which some test must notice. Two minutes.
mutants: $(TESTED)
	$(BIN)/python tools/mutations.py

# A table on which six bots race, in a folder that is gone afterwards; Ctrl-C ends it.
demo: $(READY)
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	$(BIN)/companion race --data "$$folder" --host $(HOST) --port $(PORT) --new docs/demo.json

# Every kind of screen at every scene of whole races into build/pictures, to be looked at; those that
# `make long` compares with, in tests/web/pictures, are made anew. Five minutes.
pictures: $(TESTED) debian
	@mkdir -p build/pictures
	PICTURES=build/pictures $(BIN)/pytest -q tests/web/test_pictures.py

# The pages at /help, out of docs/*.md. An installation makes them by itself; this is for whoever
# writes them.
site: $(READY)
	$(BIN)/python tools/help_pages.py

# The moving picture of the README: a turn on the real pages.
moving: $(TESTED) debian
	PYTHONPATH=tests $(BIN)/python tools/moving.py

# From nothing to the first roll with two phones, timed; renews the pictures of docs/evening.md.
evening: $(TESTED) debian
	PYTHONPATH=tests $(BIN)/python tools/evening.py

# Each level of the bots against the one below, with a sequential test. Some minutes.
ladder: $(TESTED)
	$(BIN)/python tools/ladder.py

# Solved boards held against 1000 races of the real engine each, driven by them. Twenty minutes.
driven: $(TESTED)
	$(BIN)/python tools/driven.py

# docs/study.md and its plots: boards solved, races simulated. Some five minutes.
study: $(TESTED)
	$(BIN)/python tools/study.py

# What is made from the pin map, and the drawings of the wiring, after both were held against it.
pinmap: $(TESTED)
	$(BIN)/pytest -q tests/hardware/test_pinmap.py tests/hardware/test_harness.py -k "be_wired or as_the_map"
	$(BIN)/python tools/pinmap.py

# The case as STL, into build/case; `tools/case.py --pictures` draws those of the guide anew.
case: $(TESTED) debian
	$(BIN)/python tools/case.py

# The boards, examined by KiCad's rules, and all that a maker of boards and an assembly house want
# into build/boards. KiCad 9 of this machine, or (as root; once, some
# minutes and 1.5 GB) of a root of Debian 13 under build/. Status 77: neither can be had.
boards: $(TESTED)
	$(BIN)/python tools/boards.py

test-boards: $(TESTED)
	$(BIN)/python tools/boards.py || [ $$? = 77 ]

# The fault bench: pods, wired seats, phones and the table itself, with a line a kind of fault.
faults: $(TESTED) debian
	$(BIN)/python tools/faults.py
	$(BIN)/pytest -n 2 --dist worksteal -m faults -q

# The browser's tests, without second tries, on a network that holds everything up, each time a while
# of its own up to LATE ms: what mostly comes in one order comes in the others too. Eight minutes.
LATE ?= 150
late: $(TESTED) debian
	LATE=$(LATE) SEED=$(SEED) $(BIN)/pytest -n 5 -q -p no:rerunfailures $$(grep -rlE "NEEDS_CHROMIUM" tests/web --include="test_*.py")

# Looks for bytes that break a door (record, board, pod's wire, heads, engine), SECONDS each, with
# coverage to guide it (by the same tries where a SEED is given); what reached new code is kept in
# tests/fuzz, which the tests read.
SECONDS ?= 60
SEED ?= 0
fuzz: $(TESTED)
	PYTHONPATH=tests $(BIN)/python tools/fuzz.py --keep --seconds $(SECONDS) --seed $(SEED)

# Wired seats on real GPIO lines of a real kernel, emulated. As root on Debian 12; a minute.
# CI runs it too.
test-kernel: $(TESTED)
	sh tests/kernel/stage.sh $(CURDIR)/$(BIN)/python

# The guide's commands in clean roots of Debian 12 and 13. As root; some minutes and 300 MB. Where
# that cannot start it says why, which is no failure.
test-guide:
	sh tests/guide/stage.sh bookworm || [ $$? = 77 ]
	sh tests/guide/stage.sh trixie || [ $$? = 77 ]

# The Debian package, out of the working folder, into dist/; without the test bench, which a small
# Pi would take hours to install.
deb: $(PACKED)
	$(BIN)/python -m build --wheel --outdir build/wheel
	$(BIN)/python tools/deb.py $$(ls -t build/wheel/*.whl | head -1)

# The libraries that the package brings along, resolved anew.
lock: $(TESTED)
	$(BIN)/python tools/lock.py

# Wheel, sources, Debian package, bill of materials and sums of a tag, made twice: dist/release.
# The pages are driven on a slow network first; guide, package and image are tried in clean roots, a
# season is driven, and KiCad looks for faults in the boards (where it cannot be had it says why, which
# is no failure): no release goes out without. And 5,000 times the plug is pulled, which takes half an
# hour. Images that rpi-image-gen has made, laid into dist/images, come with a list for Raspberry Pi
# Imager, by the address WHERE. The repository in dist/release/apt, which that address serves too, is
# signed by the secret key in the file KEY (gpg --export-secret-keys), or by one that is thrown away.
TAG ?= HEAD
release: $(TESTED) late test-boards test-guide test-install test-image soak
	CRASHES=5000 $(BIN)/pytest -q -m long tests/cli/test_crash_disk.py
	@sh tools/debian-packages.sh gpg
	$(BIN)/python tools/release.py --check --where "$(WHERE)" $(if $(KEY),--key "$(KEY)") $(TAG)

# The package installed, used, upgraded and purged in clean roots of Debian 12 and 13, and the wheel
# by pipx. As root; some minutes and 500 MB.
test-install: deb
	sh tests/install/stage.sh bookworm
	sh tests/install/stage.sh trixie

# The root of the image for a Pi, built for this machine out of the same layer and booted: updates
# that break, CUTS (20) of power during one, the page, a phone in its own network, and sticks. As root;
# three quarters of an hour and 12 GB.
# Where that cannot start it says why, which is no failure.
test-image: $(TESTED) deb
	@sh tools/debian-packages.sh debootstrap systemd-container qemu-system-x86 gpg gpg-agent
	sh tests/image/stage.sh || [ $$? = 77 ]

# A season at one table as fast as it goes: ten seats, a hundred phones; what it holds after each race.
RACES ?= 24
soak: $(TESTED)
	PYTHONPATH=tests $(BIN)/python benchmarks/soak.py --races $(RACES)

# Catalogues that have changed are compiled without anything being installed anew.
$(READY): pyproject.toml | $(SPOKEN)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[league]'
	@touch $@

$(TESTED): pyproject.toml $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

$(PACKED): pyproject.toml $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check build
	@touch $@

$(SPOKEN): %.mo: %.po
	$(PYTHON) tools/msgfmt.py

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
