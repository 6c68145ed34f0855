#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Does what the how-tos of docs/how-to say, in a copy of the tree.

    how_tos.py SOURCE COPY            applies the code of every page
    how_tos.py SOURCE COPY --build    then builds and runs what the pages run to test it

A block of code says where it goes in a comment on the line before it, which readers do not see:

    <!-- search/strategies/greedy.cpp: new -->
    <!-- search/registry.cpp: after StrategyRow{"random" -->
    <!-- cli/table_of_commands.cpp: before {"cache list", -->
    <!-- cache/store/schema.hpp: in place of schema_minor = 3 -->

The text names one line of the file. What is to be run stands in the section "Test" of a page.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

LICENCE = ("SPDX-License-Identifier: MIT", "Copyright (c) 2026 the redtune authors")
COMMENT = {".cpp": "//", ".hpp": "//", ".h": "//", ".txt": "#"}
BLOCK = re.compile(r"<!-- (?P<file>\S+): (?P<how>new|after|before|in place of)(?: (?P<text>(?!-->)[^\n]+?))? -->\n+"
                   r"```\w*\n(?P<code>.*?)```", re.S)
PLACE = re.compile(r"<!-- \S+: (?:new|after|before|in place of)\b")
TEST = re.compile(r"^## \d+\. Test\n(?P<body>.*?)(?=^## |\Z)", re.M | re.S)
FENCED = re.compile(r"^```(?P<language>\w*)\n(?P<lines>.*?)^```$", re.M | re.S)


class Wrong(Exception):
    """A page that cannot be followed."""


def line_with(lines, text, where):
    found = [i for i, line in enumerate(lines) if text in line]
    if len(found) != 1:
        raise Wrong(f"{where}: '{text}' is in {len(found)} lines")
    return found[0]


def licence_of(file):
    mark = COMMENT.get(file.suffix)
    return "".join(f"{mark} {line}\n" for line in LICENCE) + "\n" if mark else ""


def apply(page, tree):
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    if len(blocks) != len(PLACE.findall(text)):
        raise Wrong(f"{page.name}: a comment says where code goes, and no block of code follows")
    for block in blocks:
        file, code = tree / block["file"], block["code"]
        where = f"{page.name}, {block['file']}"
        if block["how"] == "new":
            if file.exists():
                raise Wrong(f"{where}: is there already")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(licence_of(file) + code)
            continue
        lines = file.read_text().splitlines(keepends=True)
        at = line_with(lines, block["text"], where)
        begin = at + (block["how"] == "after")
        end = at + (block["how"] != "before")
        lines[begin:end] = [code]
        file.write_text("".join(lines))
    return len(blocks)


def commands_of(page):
    """Targets to build, and other lines to run."""
    targets, lines = [], []
    for section in TEST.finditer(page.read_text()):
        for block in FENCED.finditer(section["body"]):
            for line in block["lines"].splitlines() if not block["language"] else []:
                build = re.fullmatch(r"cmake --build build/dev --target (.+)", line)
                if build:
                    targets += build[1].split()
                else:
                    lines.append(line)
    return targets, lines


def copy_of(source, copy):
    try:
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=source,
                                capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("skipped: this is no clone, or there is no git")
        sys.exit(77)
    files = listed.stdout.split("\0")
    shutil.rmtree(copy, ignore_errors=True)
    for name in filter(None, files):
        if (source / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, copy / name)


def main():
    source, copy, *options = sys.argv[1:]
    source, copy = Path(source).resolve(), Path(copy).resolve()
    copy_of(source, copy)
    pages = [page for page in sorted((source / "docs/how-to").glob("add_*.md"))]
    followed, targets, lines = [], [], []
    for page in pages:
        count = apply(page, copy)
        print(f"{page.name}: {count} blocks")
        if count == 0:
            continue
        followed.append(page.name)
        more, run = commands_of(page)
        if not more:
            raise Wrong(f"{page.name}: its section 'Test' builds nothing")
        targets += [target for target in more if target not in targets]
        lines += run
    if not followed:
        raise Wrong("no page says where its code goes")
    if "--build" in options:
        subprocess.run(["cmake", "--preset", "dev"], cwd=copy, check=True)
        subprocess.run(["cmake", "--build", "build/dev", "--target", *targets], cwd=copy, check=True)
        for line in lines:
            print(f"+ {line}", flush=True)
            subprocess.run(line, shell=True, cwd=copy, check=True)


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"how_tos.py: {wrong}")
