# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Builds the wheel, as PEP 517 has it: the package, the portable library and the program in one file.

Nothing is needed but what CMake builds redtune with. `pip install . --config-settings build=FOLDER` packs what was built
in that folder; otherwise build/wheel is built. python3 wheel_backend.py FOLDER BUILD packs BUILD into FOLDER.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = Path("lib/python3/dist-packages/redtune")
COMPONENTS = ("runtime", "hip", "cuda", "tools", "python")


def version():
    return re.search(r"project\(redtune VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def tag():
    """For CPython 3.10 and every later one, on this machine and those with as new a C library."""
    return f"cp310-abi3-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def run(*command):
    if subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False).returncode != 0:
        sys.exit(f"redtune: error: {' '.join(map(str, command))} failed: docs/how-to/install.md says what it needs")


def build(folder):
    run("cmake", "--preset", "portable", "-B", folder, "-DREDTUNE_WITH_PYTHON=ON",
        f"-DPython3_EXECUTABLE={sys.executable}")
    run("cmake", "--build", folder)


def staged(folder, stage):
    """What goes into the wheel: (name, file), in order."""
    for component in COMPONENTS:
        run("cmake", "--install", folder, "--prefix", stage, "--component", component)
    package = stage / SITE
    if not (package / "_redtune.abi3.so").exists():
        sys.exit("redtune: error: no headers of Python were found for the extension module: install python3-dev")
    files = [(f"redtune/{file.name}", file) for file in sorted(package.iterdir())]
    files.append(("redtune/portable/bin/redtune", stage / "bin" / "redtune"))
    library = next(stage.glob("lib*/**/libredtune.so.?"))
    files.append((f"redtune/portable/lib/{library.name}", library))
    for module in sorted((library.parent / "redtune").glob("libredtune_*.so")):
        files.append((f"redtune/portable/lib/redtune/{module.name}", module))
    papers = stage / "share/doc/redtune"
    licences = [papers / "LICENSE", *sorted((papers / "notices").glob("*"))]
    return files + [(f"{dist_info()}/licenses/{licence.name}", licence) for licence in licences]


def dist_info():
    return f"redtune-{version()}.dist-info"


def papers():
    return {
        "METADATA": f"Metadata-Version: 2.1\nName: redtune\nVersion: {version()}\n"
                    "Summary: Auto-tuned reductions for arrays of torch, CuPy and NumPy\nLicense: MIT\n"
                    "Requires-Python: >=3.10\nClassifier: Typing :: Typed\n",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: redtune\nRoot-Is-Purelib: false\nTag: {tag()}\n",
        "entry_points.txt": "[console_scripts]\nredtune = redtune._program:main\n",
    }


def pack(wheel, files):
    """The same files give the same bytes."""
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")

        for name, file in files:
            add(name, file.read_bytes(), 0o755 if os.access(file, os.X_OK) else 0o644)
        for name, text in papers().items():
            add(f"{dist_info()}/{name}", text.encode())
        record.append(f"{dist_info()}/RECORD,,\n")
        archive.writestr(zipfile.ZipInfo(f"{dist_info()}/RECORD"), "".join(record))


def pack_build(wheel_directory, folder):
    name = f"redtune-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as stage:
        pack(Path(wheel_directory) / name, staged(folder, Path(stage)))
    return name


# What PEP 517 asks for.


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    given = (config_settings or {}).get("build")
    folder = Path(given) if given else ROOT / "build" / "wheel"
    if not given:
        build(folder)
    return pack_build(wheel_directory, folder)


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("redtune: error: there is no source distribution: install from a clone, or build a wheel from it")


if __name__ == "__main__":
    print(pack_build(sys.argv[1], sys.argv[2]))
