# For test frameworks that build engines with `make EXE=name`; people use cargo.
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
EXE ?= chuhe$(SUFFIX)

all:
	cargo build --release
	cp target/release/chuhe$(SUFFIX) $(EXE)

.PHONY: all
