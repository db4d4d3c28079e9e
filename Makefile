# The commands of the house; `make help` lists them. Each installs first what it needs and the
# machine does not have (tools/setup), leaves a stamp in build/setup/, and asks never again.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-print-directory

sources = $(shell find src tests fuzz bench -name '*.cc' -o -name '*.h')
jobs := $(shell nproc)
ctest = ctest --output-on-failure --no-tests=error -j $(jobs)
stamp = build/setup

.PHONY: build
build: build/build.ninja  ## build/cutline (the default)
	@ninja -C build cutline

build/build.ninja: | $(stamp)/build CMakePresets.json
	cmake --preset release

.PHONY: demo
demo: build $(stamp)/node  ## check a public server from npm, and measure the lab server
	@tools/demo

.PHONY: test
test: build/build.ninja $(stamp)/node $(stamp)/test  ## build everything and run all tests
	@ninja -C build
	@$(ctest) --test-dir build -LE full $(CTEST_ARGS)

.PHONY: full
full: $(stamp)/build $(stamp)/node $(stamp)/test $(stamp)/format $(stamp)/full  ## all checks: sanitizers, clang, tidy, fuzzing, all servers, benchmarks
	@tools/full

.PHONY: bench
bench: build/build.ninja $(stamp)/node  ## the benchmarks
	@ninja -C build
	@tools/bench

.PHONY: atlas
atlas: build $(stamp)/node  ## all cells of all clients that can be run; writes docs/atlas.md (hours)
	@tools/atlas

.PHONY: format
format: $(stamp)/format  ## lay out the sources with clang-format
	@clang-format-19 -i $(sources)

.PHONY: check-format
check-format: $(stamp)/format  ## fail if a source is not laid out so
	@clang-format-19 --dry-run --Werror $(sources)

.PHONY: tidy
tidy: build/build.ninja  ## check rooms, fences and the other rules of the tree
	@ninja -C build tidy_test
	@build/tests/tidy_test --gtest_brief=1

.PHONY: clean
clean:  ## remove build/
	rm -rf build

.PHONY: help
help:  ## this list
	@echo 'make TARGET, where TARGET is'
	@sed -n 's/^\([a-z-]*\):[^#]*## */\1|/p' Makefile | awk -F'|' '{printf "  %-14s %s\n", $$1, $$2}'

$(stamp)/%: tools/setup
	@tools/setup $*
	@mkdir -p $(stamp) && touch $@
