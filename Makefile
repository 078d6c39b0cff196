# Shortcuts to CMake and tools/. On Debian 12 and 13 every target installs the packages it needs (tools/packages).
.PHONY: build single dist install deb demo check check-all check-cuda check-mcu check-web check-python playground bench-check fuzz docs man format clean

build:
	@tools/install-deps build
	@cmake --preset release -DTACOS_TESTS=OFF > /dev/null
	@cmake --build --preset release

# The learner for microcontrollers in one file: build/single/tacos.h and tacos.c.
single:
	@tools/single
	@echo "build/single/tacos.h build/single/tacos.c"

# What is released, in build/dist: the sources, and the single file.
dist:
	@tools/install-deps build
	@tools/dist

# Install headers, libraries, pkg-config and CMake files and programs: make install prefix=/usr DESTDIR=stage
prefix ?= /usr/local
install: build
	@cmake --install build --prefix "$(prefix)"

# Debian packages, in build/deb.
deb:
	@tools/install-deps build deb
	@tools/build-deb

# TACOS against a plain SNN on five tasks with built-in symbols.
demo: build
	@tools/demo build/tacos

# Build and run the quick tests: a few minutes, few packages.
check:
	@tools/install-deps build check
	@tools/check

# Every check except check-web and check-python: style, all tests in several builds, sanitizers, fuzzing,
# Arm, planted bugs. Cross compilers and more.
check-all:
	@tools/install-deps build check check-all
	@tools/check-all $(REST)

# Run the learner in one file on emulated microcontrollers, and compare every bit.
check-mcu:
	@tools/install-deps mcu
	@tools/check-mcu

# A page for teaching three networks by drawing: build/playground.html.
playground:
	@tools/install-deps playground
	@tools/playground
	@echo "build/playground.html"

# Test the kernels for a GPU on one, and compare every bit. Needs nvcc and a GPU of NVIDIA.
check-cuda:
	@tools/install-deps build check
	@tools/check-cuda

# Test the pages in a real browser.
check-web: build
	@tools/install-deps playground web
	@command -v npm > /dev/null || tools/install-deps npm
	@tools/check-web

# Install, type-check and test the Python package.
check-python:
	@tools/install-deps python
	@tools/check-python

# Compare instruction counts of a fixed job with the committed ones.
bench-check: build
	@tools/install-deps check-all
	@tools/bench-check

# Fuzz every reader for SECONDS each.
SECONDS = 60
fuzz:
	@tools/install-deps build check-all
	@tools/fuzz $(SECONDS)

# Regenerate docs/keys.md.
docs: build
	@tools/docs build/tacos > docs/keys.md

# Manual pages, generated from the program's tables: man -l build/man/man1/tacos.1
man: build
	@cmake --build --preset release --target man

format:
	@formatter=$$(tools/llvm-tool clang-format) && git ls-files '*.c' '*.h' | xargs "$$formatter" -i

clean:
	rm -rf build build-* bindings/python/src/tacos/_core*.so
