#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Puts the help texts of the program into cli.md.

    fill_help.py PROGRAM            fills the first block of each command's section
    fill_help.py PROGRAM --check    changes nothing; fails when a text differs
"""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent / "cli.md"
SECTION = re.compile(r"^(?:## redtune (?P<command>[^\n]+)|# Command line)\n(?:(?!```).)*```\n(?P<help>.*?)```",
                     re.M | re.S)


def help_of(program, command):
    run = subprocess.run([program, *command.split(), "--help"], capture_output=True, text=True, check=True)
    return run.stdout


def filled(page, program):
    def fill(match):
        begin, end = match.span("help")
        text = match.string[match.start():begin] + help_of(program, match["command"] or "")
        return text + match.string[end:match.end()]

    return SECTION.sub(fill, page)


def main():
    program, *options = sys.argv[1:]
    old = PAGE.read_text()
    new = filled(old, program)
    if "--check" not in options:
        PAGE.write_text(new)
    elif new != old:
        changed = [line for line in new.splitlines() if line not in old.splitlines()]
        sys.exit(f"{PAGE.name} is not what the program says; run docs/reference/fill_help.py PROGRAM. New:\n"
                 + "\n".join(changed))


if __name__ == "__main__":
    main()
