# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Loads libredtune.so from where it was installed with this package; else the system finds it."""

import ctypes
from pathlib import Path

from ._built import LIBRARY, LIBRARY_FOLDER, SITE


def prefix_of(package: Path) -> list:
    """Where it is installed; none where its path has not as many folders."""
    return list(package.parents)[len(Path(SITE).parts):][:1]


def places() -> list:
    package = Path(__file__).resolve().parent
    return [package / "portable" / "lib" / LIBRARY,
            *(prefix / LIBRARY_FOLDER / LIBRARY for prefix in prefix_of(package))]


for place in places():
    if place.exists():
        # By the name in it, the extension module finds it from here on.
        ctypes.CDLL(str(place))
        break
