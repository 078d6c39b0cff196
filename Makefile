# A thin front to CMake. On Debian, `make demo` and `make check` install what is missing.
.PHONY: build demo check check-web playground bench-check docs format clean

build:
	@tools/install-deps build
	@cmake --preset release -DTACOS_TESTS=OFF > /dev/null
	@cmake --build --preset release

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

# Instruction counts of a fixed job against the committed ones.
bench-check: build
	@tools/install-deps check
	@tools/bench-check

# The generated part of the documentation.
docs: build
	@tools/docs build/tacos > docs/keys.md

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-*
