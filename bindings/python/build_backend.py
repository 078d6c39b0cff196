"""Builds the package: a PEP 517 backend that needs a C compiler and nothing but the standard library.

`pip install` calls build_wheel. There is neither setuptools nor wheel to install first, so any
Python that has its headers can build the package, without network access.

The library's C files are compiled right here, so that an installed package needs no libtacos and no
CMake, and the versions of the two cannot differ. They come from the repository around this folder
or, in a source distribution, from the folder core/ that build_sdist puts there.
"""

import base64
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE / "core" if (HERE / "core").is_dir() else HERE.parent.parent

# What a learner rests on, as docs/library.md has it: these files need no flags of their own.
ROOMS = ("base", "kernel", "columns", "net", "future", "sound", "stream")
CORE = [f"src/{room}/*.c" for room in ROOMS]
OTHERS = ["LICENSE", "include/tacos.h", "include/tacos_stream.h"]
OTHERS += [f"src/{room}/*.h" for room in ROOMS]

# Of this folder, what a source distribution holds besides core/.
OWN = ["*.py", "pyproject.toml", "README.md", "native/*", "src/tacos/*.py*", "src/tacos/py.typed"]
OWN += ["examples/*.py", "tests/*.py", "tests/*.c"]

FLAGS = ["-std=c11", "-O3", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden"]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow"]
LIBRARIES = ["-lm", "-lpthread"]

# Buffers are in the limited API from Python 3.11 on: there one build serves all later versions. On
# 3.9 and 3.10 the same code is built for that version alone.
LIMITED = sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED")
LIMITED_API = ["-DPy_LIMITED_API=0x030B0000"] if LIMITED else []

METADATA = """\
Metadata-Version: 2.1
Name: tacos
Version: {version}
Summary: A spiking neural network that learns one task after another and keeps the old ones
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy>=1.20
Provides-Extra: sklearn
Requires-Dist: scikit-learn>=1.2; extra == "sklearn"
Provides-Extra: nir
Requires-Dist: h5py>=3; extra == "nir"
Description-Content-Type: text/markdown

{readme}"""


def files(patterns, root=ROOT):
    """The files below the root that match, from there on."""
    found = [str(p.relative_to(root)) for pattern in patterns for p in root.glob(pattern)]
    if not found:
        raise SystemExit(f"tacos: the library is not around {HERE}; build in a whole checkout")
    return sorted(set(found))


def version():
    text = (ROOT / "include/tacos.h").read_text(encoding="utf-8")
    return re.search(r'TACOS_VERSION_STRING "(.*)"', text).group(1)


def metadata():
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return METADATA.format(version=version(), readme=readme)


# ---- the extension ----


def words(name, *environment):
    """A command or flags as this Python was built with them, then those of the environment."""
    return shlex.split(sysconfig.get_config_var(name) or "") + [
        word for variable in environment for word in shlex.split(os.environ.get(variable, ""))
    ]


def compiler():
    found = shlex.split(os.environ.get("CC", "")) or words("CC") or ["cc"]
    if shutil.which(found[0]) is None:
        found = ["cc"]  # the one that built this Python is not here
    if shutil.which(found[0]) is None:
        raise SystemExit("tacos: there is no C compiler; install one, such as gcc, or set CC")
    return found


def run(command):
    print(shlex.join(command), flush=True)
    if subprocess.run(command).returncode != 0:
        raise SystemExit(f"tacos: {command[0]} failed; its message is above")


def check_headers(folders):
    if not any((Path(folder) / "Python.h").is_file() for folder in folders):
        raise SystemExit(
            f"tacos: Python.h is not in {folders[0]}; install the headers of this Python "
            "(Debian: python3-dev)"
        )


def build_extension(target):
    """Compile the library and the extension, several files at a time, and link them."""
    paths = sysconfig.get_paths()
    python = list(dict.fromkeys([paths["include"], paths["platinclude"]]))
    check_headers(python)
    cc = compiler()
    compile_any = cc + words("CFLAGS", "CFLAGS", "CPPFLAGS") + words("CCSHARED")
    core = FLAGS + [f"-I{ROOT}/include", f"-I{ROOT}/src"]
    own = FLAGS + WARNINGS + ["-D_POSIX_C_SOURCE=200809L"] + LIMITED_API
    own += [f"-I{ROOT}/include"] + [f"-I{folder}" for folder in python]
    jobs = [(ROOT / name, core) for name in files(CORE)]
    jobs += [(HERE / name, own) for name in files(["native/*.c"], HERE)]
    with tempfile.TemporaryDirectory() as room:

        def compile_one(number):
            source, flags = jobs[number]
            made = os.path.join(room, f"{number}.o")
            run(compile_any + flags + ["-c", str(source), "-o", made])
            return made

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compile_one, range(len(jobs))))
        link = cc + words("LDSHARED")[1:] + words("", "CFLAGS", "LDFLAGS")
        run(link + objects + LIBRARIES + ["-o", str(target)])


def extension_name():
    suffix = ".abi3.so" if LIMITED else sysconfig.get_config_var("EXT_SUFFIX")
    return f"_core{suffix}"


# ---- wheels ----


def platform():
    """As in a wheel's name: linux_x86_64, macosx_14_0_arm64."""
    name = sysconfig.get_platform()
    name = re.sub(r"^(macosx-\d+)-", r"\1.0-", name)
    return re.sub(r"[-.]", "_", name)


def tag():
    this = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    threaded = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"cp311-abi3-{platform()}" if LIMITED else f"{this}-{this}{threaded}-{platform()}"


def wheel_text():
    return f"Wheel-Version: 1.0\nGenerator: tacos\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(data)}\n"


def info_folder():
    return f"tacos-{version()}.dist-info"


def info_files():
    license_text = (ROOT / "LICENSE").read_bytes()
    return {
        f"{info_folder()}/METADATA": metadata().encode(),
        f"{info_folder()}/WHEEL": wheel_text().encode(),
        f"{info_folder()}/LICENSE": license_text,
    }


def write_wheel(folder, contents):
    """The same bytes for the same contents: entries have no time."""
    name = f"tacos-{version()}-{tag()}.whl"
    record = "".join(record_line(path, data) for path, data in contents.items())
    record_name = f"{info_folder()}/RECORD"
    contents = {**contents, record_name: f"{record}{record_name},,\n".encode()}
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, data)
    return name


# ---- what pip calls ----


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = files(["src/tacos/*.py", "src/tacos/*.pyi", "src/tacos/py.typed"], HERE)
    contents = {name[len("src/") :]: (HERE / name).read_bytes() for name in package}
    with tempfile.TemporaryDirectory() as room:
        extension = Path(room) / extension_name()
        build_extension(extension)
        contents[f"tacos/{extension.name}"] = extension.read_bytes()
    return write_wheel(wheel_directory, {**contents, **info_files()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The extension is built beside the sources, which are imported where they are."""
    build_extension(HERE / "src/tacos" / extension_name())
    path = {"tacos.pth": f"{HERE / 'src'}\n".encode()}
    return write_wheel(wheel_directory, {**path, **info_files()})


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    for name, data in info_files().items():
        target = Path(metadata_directory) / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
    return info_folder()


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    """This folder, with the library in core/."""
    top = f"tacos-{version()}"
    contents = {name: (HERE / name).read_bytes() for name in files(OWN, HERE)}
    contents.update({f"core/{name}": (ROOT / name).read_bytes() for name in files(CORE + OTHERS)})
    contents["PKG-INFO"] = metadata().encode()
    with tarfile.open(os.path.join(sdist_directory, f"{top}.tar.gz"), "w:gz") as archive:
        for name, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return f"{top}.tar.gz"
