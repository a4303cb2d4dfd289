# For frameworks that build with make, as OpenBench does: the engine by `make EXE=name [EVALFILE=network]`, the match runner by
# `make` alone, which leaves it as `fastchess`. People use cargo.

EXE ?= chuhe
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

# Becomes part of the program instead of our own network.
export EVALFILE
override EVALFILE := $(abspath $(EVALFILE))

# Such a framework plays where it builds, so programs may use all instructions of that processor, which saves 3 % of their time.
export RUSTFLAGS ?= -C target-cpu=native

# Who names the engine wants nothing else.
.PHONY: all
all: engine $(if $(filter command,$(origin EXE)),,fastchess)

.PHONY: engine
engine:
	MAKEFLAGS= $(CARGO) build --release --locked --target-dir target
	cp target/release/chuhe$(SUFFIX) $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
# A file that is no network shows here, and not in the first game.
ifneq ($(EVALFILE),)
	$(abspath $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)) bench 1
endif

.PHONY: fastchess
fastchess:
	$(MAKE) -C tools/arena fastchess
	cp tools/arena/fastchess$(SUFFIX) fastchess$(SUFFIX)
