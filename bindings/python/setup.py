"""Builds tacos._core: the extension, and the part of the library that a learner needs, inside it.

The library's C files are compiled right here, so that an installed package needs no libtacos and no
CMake, and the versions of the two cannot differ. They come from the repository around this folder
or, in a source distribution, from the folder core/ that making one puts here.
"""

import os
import re
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
ROOT = HERE / "core" if (HERE / "core").is_dir() else HERE.parent.parent

# What a learner rests on, as docs/library.md has it: these files need no flags of their own.
CORE = ["src/base/*.c", "src/kernel/*.c", "src/net/*.c", "src/future/*.c"]
OTHERS = ["LICENSE", "include/tacos.h"]
OTHERS += [f"src/{room}/*.h" for room in ("base", "kernel", "net", "future")]
NEEDED = CORE + OTHERS

FLAGS = ["-std=c11", "-O3", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"]

# Buffers are in the limited API from Python 3.11 on: there one build serves all later versions. On
# 3.9 and 3.10 the same code is built for that version alone.
LIMITED = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")
LIMITED_API = [("Py_LIMITED_API", "0x030B0000")] if LIMITED else []


def files(patterns):
    """The files of the library that match, from its root on."""
    found = [str(p.relative_to(ROOT)) for pattern in patterns for p in ROOT.glob(pattern)]
    if not found:
        raise SystemExit(f"setup.py: the library is not around {HERE}; build in a whole checkout")
    return sorted(set(found))


def version():
    text = (ROOT / "include/tacos.h").read_text(encoding="utf-8")
    return re.search(r'TACOS_VERSION_STRING "(.*)"', text).group(1)


class BuildWithCore(build_ext):
    """Compiles the library first, several files at a time, then the extension with it."""

    def build_extension(self, ext):
        def compile_one(source):
            return self.compiler.compile(
                [str(ROOT / source)],
                output_dir=self.build_temp,
                include_dirs=[str(ROOT / "include"), str(ROOT / "src")],
                extra_postargs=FLAGS,
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ext.extra_objects = [obj for objs in pool.map(compile_one, files(CORE)) for obj in objs]
        super().build_extension(ext)


class SdistWithCore(sdist):
    """Takes the library along."""

    def make_release_tree(self, base_dir, names):
        super().make_release_tree(base_dir, names)
        for name in files(NEEDED):
            target = Path(base_dir) / "core" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)


setup(
    version=version(),
    ext_modules=[
        Extension(
            "tacos._core",
            sources=sorted(f"native/{p.name}" for p in (HERE / "native").glob("*.c")),
            depends=["native/native.h"] + [str(ROOT / name) for name in files(NEEDED)],
            include_dirs=[str(ROOT / "include")],
            define_macros=[("_POSIX_C_SOURCE", "200809L")] + LIMITED_API,
            extra_compile_args=FLAGS + ["-Wall", "-Wextra", "-Wshadow"],
            libraries=["m", "pthread"],
            py_limited_api=LIMITED,
        )
    ],
    cmdclass={"build_ext": BuildWithCore, "sdist": SdistWithCore},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)
