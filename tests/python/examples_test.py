# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Examples are true: those of docstrings, and those of pages. Usage: examples_test.py SOURCE"""

import doctest
import importlib
import os
import pkgutil
import shutil
import sys
import tempfile
from pathlib import Path

import numpy

import redtune

PAGES = ("docs/tutorial/python.md", "docs/reference/python.md", "docs/how-to/replace_torch_sum.md")


def run_page(page):
    """Its examples, as if they were typed one after the other."""
    text = "\n".join("" if line.startswith("```") else line for line in page.read_text(encoding="utf-8").splitlines())
    test = doctest.DocTestParser().get_doctest(text, {"numpy": numpy}, page.name, str(page), 0)
    return doctest.DocTestRunner().run(test)


def main():
    source = Path(sys.argv[1]).resolve()
    folder = tempfile.TemporaryDirectory()
    os.chdir(folder.name)
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        shutil.rmtree(os.environ[name], ignore_errors=True)
    failed = tried = 0
    for module in pkgutil.iter_modules(redtune.__path__):
        if module.name == "_torch":
            continue
        found = doctest.testmod(importlib.import_module(f"redtune.{module.name}"), extraglobs={"redtune": redtune})
        failed, tried = failed + found.failed, tried + found.attempted
    for page in PAGES:
        shutil.rmtree(os.environ["XDG_DATA_HOME"], ignore_errors=True)
        found = run_page(source / page)
        failed, tried = failed + found.failed, tried + found.attempted
    if tried < 20:
        print(f"only {tried} examples were found")
    return failed > 0 or tried < 20


if __name__ == "__main__":
    sys.exit(main())
