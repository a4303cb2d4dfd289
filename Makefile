# For frameworks that build an engine with `make EXE=name`. People use cargo.

EXE ?= chuhe
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

.PHONY: all
all:
	$(CARGO) build --release --locked --target-dir target
	cp target/release/chuhe$(SUFFIX) $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
