# For frameworks that build with make, as OpenBench does: the engine by `make EXE=name [EVALFILE=network]`, the match runner by
# `make` alone, which leaves it as `fastchess`. People use cargo.

EXE ?= chuhe
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

# Folders may have blanks, at which make's functions for names would cut them.
PROGRAM := $(if $(SUFFIX),$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX),$(EXE))

# Becomes part of the program instead of our own network. A relative name counts from here, as it does for build.rs.
export EVALFILE

# Such a framework plays where it builds, so programs may use all instructions of that processor, which saves 3 % of their time.
export RUSTFLAGS ?= -C target-cpu=native

# Who names the engine wants nothing else.
.PHONY: all
all: engine $(if $(filter command,$(origin EXE)),,fastchess)

.PHONY: engine
engine:
	MAKEFLAGS= $(CARGO) build --release --locked --target-dir target
	cp target/release/chuhe$(SUFFIX) "$(PROGRAM)"
# A file that is no network shows here, and not in the first game.
ifneq ($(EVALFILE),)
	cd "$$(dirname "$(PROGRAM)")" && "./$$(basename "$(PROGRAM)")" bench 1
endif

.PHONY: fastchess
fastchess:
	$(MAKE) -C tools/arena fastchess
	cp tools/arena/fastchess$(SUFFIX) fastchess$(SUFFIX)
