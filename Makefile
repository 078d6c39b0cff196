# A thin front to CMake. On Debian 12 and 13, `make demo` and `make check` install what is missing.
.PHONY: build install deb demo check check-web check-python playground bench-check fuzz docs man format clean

build:
	@tools/install-deps build
	@cmake --preset release -DTACOS_TESTS=OFF > /dev/null
	@cmake --build --preset release

# Header, libraries, pkg-config, find_package and the programs: make install prefix=/usr DESTDIR=stage
prefix ?= /usr/local
install: build
	@cmake --install build --prefix "$(prefix)"

# Debian packages, in build/deb.
deb:
	@tools/install-deps build deb
	@tools/build-deb

# TACOS against the plain SNN on five tasks of built-in symbols.
demo: build
	@tools/demo build/tacos

# Everything that must hold: style, structure, and all tests in several builds.
check:
	@tools/install-deps build check
	@tools/check

# One page to teach two networks in: build/playground.html.
playground:
	@tools/install-deps playground
	@tools/playground
	@echo "build/playground.html"

# The pages, in a real browser.
check-web: build
	@tools/install-deps playground web
	@command -v npm > /dev/null || tools/install-deps npm
	@tools/check-web

# The Python package: installed, typed and tested.
check-python:
	@tools/install-deps python
	@tools/check-python

# Instruction counts of a fixed job against the committed ones.
bench-check: build
	@tools/install-deps check
	@tools/bench-check

# Every reader against made-up files, SECONDS each.
SECONDS = 60
fuzz:
	@tools/install-deps build check
	@tools/fuzz $(SECONDS)

# The generated part of the documentation.
docs: build
	@tools/docs build/tacos > docs/keys.md

# The manual, from the program's own tables: man -l build/man/man1/tacos.1
man: build
	@cmake --build --preset release --target man

format:
	@formatter=$$(tools/llvm-tool clang-format) && git ls-files '*.c' '*.h' | xargs "$$formatter" -i

clean:
	rm -rf build build-* bindings/python/build bindings/python/src/*.egg-info
