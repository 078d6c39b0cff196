"""Loads the installed extension without the package around it, which needs numpy."""

import importlib.util
import sysconfig
from pathlib import Path

(path,) = (Path(sysconfig.get_paths()["platlib"]) / "tacos").glob("_core*.so")
spec = importlib.util.spec_from_file_location("tacos._core", path)
core = importlib.util.module_from_spec(spec)
spec.loader.exec_module(core)
print(f"{path.name}: tacos {core.version()}")
