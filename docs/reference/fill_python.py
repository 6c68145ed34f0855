#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Writes what follows from the package: python/redtune/__init__.pyi, and the generated parts of docs/reference/python.md.

    PYTHONPATH=build/dev/python python3 docs/reference/fill_python.py [--check]

With --check nothing is written, and what differs is an error.
"""

import inspect
import re
import sys
import textwrap
from pathlib import Path

import redtune
from redtune import _functions, _problems

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/python.md"
STUB = ROOT / "python/redtune/__init__.pyi"
LICENCE = "# SPDX-License-Identifier: MIT\n# Copyright (c) 2026 the redtune authors\n"
NAMES = ("Reducer", "query", "segment_reduce", "SegmentPlan", "reduce_by_key", "ByKeyReducer", "tune", "report", "devices", "wanted",
         "Kernel", "Answer", "Run", "Device", "Interval", "Groups", "Lengths")

STUB_HEAD = '''
"""Written by docs/reference/fill_python.py: a function for each operator."""

from typing import Any, Dict, Optional, Sequence, Union

from ._kernel import Kernel as Kernel
from ._problems import OPERATORS as OPERATORS, Answer as Answer, Interval as Interval, Operator as Operator
from ._program import (Device as Device, Report as Report, Run as Run, devices as devices, report as report, tune as tune,
                       wanted as wanted)
from ._reducer import Reducer as Reducer, query as query
from ._segments import (ByKeyReducer as ByKeyReducer, Groups as Groups, Lengths as Lengths, SegmentPlan as SegmentPlan,
                        reduce_by_key as reduce_by_key, segment_reduce as segment_reduce)

__version__: str

class Error(RuntimeError): ...
class UsageError(Error, ValueError): ...
class UnmetMatch(Error, LookupError): ...
class DeviceError(Error): ...
class IoError(Error, OSError): ...

'''


def stub():
    text = LICENCE + STUB_HEAD
    for name, function in sorted(_functions.functions().items()):
        text += (f"def {name}(x: Any, dim: Union[None, int, Sequence[int]] = ..., keepdim: bool = ..., *, dtype: Any = ..., "
                 "out: Any = ...,\n"
                 f"{' ' * len(f'def {name}(')}stream: Any = ..., order: Optional[str] = ...) -> Any: ...\n")
    return text


def table_of_functions():
    rows = ["| function | gives |", "|---|---|"]
    aliases = {}
    for alias, name in _problems.ALIASES.items():
        aliases.setdefault(name, []).append(f"`{alias}`")
    for row in redtune.OPERATORS.values():
        names = ", ".join([f"`{row.name}`", *aliases.get(row.name, [])])
        more = {"value": "", "pair": f": a tuple of `{'`, `'.join(row.values)}`",
                "indexed": f"; the index alone. `{_problems.with_values_name(row.name)}` gives both"}[row.shape]
        rows.append(f"| {names} | {row.summary}{more} |")
    return "\n".join(rows) + "\n"


def text_of(item):
    """A docstring as Markdown: its examples in blocks of code."""
    lines = inspect.getdoc(item).splitlines()
    out, in_example = [], False
    for line in lines:
        if line.startswith(">>>") and not in_example:
            out.append("```python")
            in_example = True
        if not line and in_example:
            out.append("```")
            in_example = False
        out.append(line)
    if in_example:
        out.append("```")
    return "\n".join(out) + "\n"


def signature_of(item):
    found = inspect.signature(item)
    plain = found.replace(return_annotation=found.empty, parameters=[
        parameter.replace(annotation=parameter.empty) for parameter in found.parameters.values()])
    return textwrap.fill(f"{item.__name__}{plain}", 100, subsequent_indent="    ", break_long_words=False)


def members_of(item):
    text = ""
    for name, member in vars(item).items():
        if name.startswith("_") and name != "__call__" or not getattr(member, "__doc__", None):
            continue
        if inspect.isfunction(member):
            called = name if name != "__call__" else "(call)"
            text += f"| `{called}` | {' '.join(inspect.getdoc(member).split())} |\n"
        elif isinstance(member, property):
            text += f"| `{name}` | {' '.join(inspect.getdoc(member).split())} |\n"
    return f"\n| member | |\n|---|---|\n{text}" if text else ""


def reference():
    text = ""
    for name in NAMES:
        item = getattr(redtune, name)
        text += f"### {name}\n\n```\n{signature_of(item)}\n```\n\n{text_of(item)}"
        if inspect.isclass(item) and name in ("Reducer", "Kernel"):
            text += members_of(item)
        text += "\n"
    return text


def filled(page):
    for mark, content in (("functions", table_of_functions()), ("reference", reference())):
        block = re.compile(rf"(<!-- {mark}:begin -->\n).*?(<!-- {mark}:end -->\n)", re.S)
        page, count = block.subn(lambda found: found[1] + "\n" + content + "\n" + found[2], page)
        if count != 1:
            sys.exit(f"{PAGE}: the mark {mark} is there {count} times")
    return page


def main():
    is_check = sys.argv[1:] == ["--check"]
    wrong = []
    for file, text in ((STUB, stub()), (PAGE, filled(PAGE.read_text(encoding="utf-8")))):
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        if is_check:
            wrong.append(f"{file.relative_to(ROOT)} differs: run PYTHONPATH=build/dev/python python3 docs/reference/fill_python.py")
        else:
            file.write_text(text, encoding="utf-8")
            print(f"{file.relative_to(ROOT)} written")
    print("\n".join(wrong), end="\n" if wrong else "")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
