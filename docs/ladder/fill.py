#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Puts the compiled kernels and the measured figures into the pages of the ladder.

    fill.py                     fills every marked place
    fill.py --check             changes nothing; fails when a page differs from its sources
    fill.py --kernels FOLDER    takes the kernels from another folder

Marked places:
    <!-- kernel:begin NAME --> ... <!-- kernel:end -->           NAME.hip.h of the kernels' folder
    <!-- ladder:begin DEVICE [STEP] --> ... <!-- ladder:end -->  all steps, or one step with all its
                                    variants, from results/DEVICE.json and results/DEVICE_*.json:
                                    each is what `redtune ladder --json` printed
"""

import argparse
import json
import re
import sys
from pathlib import Path

SKIPPED = 77  # what CTest is told to take for "skipped"
NOT_YET = "Nothing measured yet.\n"
PLACE = re.compile(r"<!-- (kernel|ladder):begin ([^>]*?) -->\n(.*?)<!-- \1:end -->", re.S)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def figure(value, form, scale=1):
    return "–" if value is None else form.format(scale * value)


def interval(row, key, scale=1):
    value = (row.get(key) or {}).get("median")
    return figure(value, "{:,.2f}" if (value or 0) * scale < 1000 else "{:,.0f}", scale)


def bandwidth(value):
    return figure(value, "{:.0f}" if (value or 0) >= 100 else "{:.3g}")


# Heading, and what an attempt in the JSON says under it.
COLUMNS = [
    ("launches", lambda row: figure(row.get("launches"), "{}")),
    ("kernels µs", lambda row: interval(row, "kernel_us")),
    ("×", lambda row: figure(row.get("kernel_speed_up"), "{:.2f}")),
    ("system ms", lambda row: interval(row, "system_us", 1e-3)),
    ("×", lambda row: figure(row.get("system_speed_up"), "{:.2f}")),
    ("GB/s", lambda row: bandwidth(row.get("gigabytes_per_second"))),
    ("% of theory", lambda row: figure(row.get("share_of_theory"), "{:.1f}", 100)),
    ("% of read", lambda row: figure(row.get("share_of_read"), "{:.1f}", 100)),
]


def cells(row):
    if "failed" in row:
        return ["failed"] + ["–"] * (len(COLUMNS) - 1)
    return [text(row) for _, text in COLUMNS]


def table(first, rows):
    head = [first, *(name for name, _ in COLUMNS)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def count_text(count):
    power = count.bit_length() - 1
    return f"2^{power}" if count == 1 << power else f"{count:,}"


def run_text(run):
    problem, device = run["problem"], run["device"]
    peak = run.get("peak", {})
    read = f"; read peak {peak['gigabytes_per_second']:.0f} GB/s ({peak['of']})" if peak else ""
    theory = figure(run.get("theory_gigabytes_per_second"), "; theory {:.0f} GB/s")
    versions = f"driver {device.get('driver', '?')}, {device.get('compiler', '?')}"
    return (f"{device['name']}, {count_text(problem['count'])} {problem['in']}, "
            f"{problem['cache_mode']}; {versions}{'' if theory == '–' else theory}{read}")


class Ladder:
    """The folder of the pages, and where its sources are."""

    def __init__(self, pages, kernels):
        self.pages, self.kernels = pages, kernels

    def has_kernels(self):
        return self.kernels.is_dir()

    def kernel(self, name):
        """The text of a kernel file in a code block, without its licence."""
        path = (self.kernels / f"{name}.hip.h").resolve()
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"\A(// (SPDX-|Copyright)[^\n]*\n)+\n*", "", text)
        source = f"kernel_templates/{path.relative_to(self.kernels.resolve().parent)}"
        return f"[`{source}`](../../{source})\n\n```cpp\n{text.rstrip()}\n```\n"

    def runs(self, device):
        folder = self.pages / "results"
        paths = [*folder.glob(f"{device}.json"), *folder.glob(f"{device}_*.json")]
        found = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        return sorted(found, key=lambda run: (run["problem"]["in"], run["problem"]["count"]))

    def measured(self, device, step=None):
        parts = [self.run_table(run, step) for run in self.runs(device)]
        return "\n".join(part for part in parts if part) or NOT_YET

    def run_table(self, run, step):
        if step is None:
            rows = [[self.linked(row), *cells(row)] for row in run["steps"]]
            return f"{run_text(run)}:\n\n" + table("step", rows)
        rows = [[variant.get("variant", step), *cells(variant)]
                for row in run["steps"] if row["step"] == step
                for variant in row.get("variants", [row])]
        return f"{run_text(run)}:\n\n" + table("launch", rows) if rows else ""

    def linked(self, row):
        name, variant = row["step"], row.get("variant")
        is_page = (self.pages / f"{name}.md").exists()
        return (f"[`{name}`]({name}.md)" if is_page else f"`{name}`") + (
            f" {variant}" if variant else "")

    def filled(self, text):
        def fill(match):
            kind, arguments, old = match.groups()
            if kind == "ladder":
                new = self.measured(*arguments.split())
            else:
                new = self.kernel(arguments) if self.has_kernels() else old
            return f"<!-- {kind}:begin {arguments} -->\n{new}<!-- {kind}:end -->"

        return PLACE.sub(fill, text)

    def dead_links(self, page, text):
        prose = re.sub(r"```.*?```", "", text, flags=re.S)
        for target in LINK.findall(prose):
            is_kernel = target.startswith("../../kernel_templates/")
            if not (page.parent / target).exists() and not is_kernel:
                yield f"{page.name}: no such file: {target}"

    def missing_pages(self):
        """Every kernel of the ladder is shown; every page is linked from the first one."""
        texts = {page.name: page.read_text(encoding="utf-8") for page in self.pages.glob("*.md")}
        for kernel in sorted(self.kernels.glob("*.hip.h")) if self.has_kernels() else []:
            name = kernel.name.removesuffix(".hip.h")
            if not any(f"<!-- kernel:begin {name} -->" in text for text in texts.values()):
                yield f"no page shows {kernel.name}"
        for name in sorted(texts):
            if name != "README.md" and f"]({name})" not in texts["README.md"]:
                yield f"README.md does not link {name}"


def main(arguments):
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail on differences")
    parser.add_argument("--pages", type=Path, default=here)
    parser.add_argument("--kernels", type=Path, help="default: kernel_templates/ladder")
    options = parser.parse_args(arguments)
    ladder = Ladder(options.pages,
                    options.kernels or here.parent.parent / "kernel_templates" / "ladder")
    problems = []
    for page in sorted(options.pages.glob("*.md")):
        old = page.read_text(encoding="utf-8")
        new = ladder.filled(old)
        if new != old and options.check:
            problems.append(f"{page.name} differs from its sources: run docs/ladder/fill.py")
        elif new != old:
            page.write_text(new, encoding="utf-8")
            print("filled", page.name)
        problems += ladder.dead_links(page, new)
    problems += ladder.missing_pages()
    for problem in problems:
        print(problem, file=sys.stderr)
    if not ladder.has_kernels():
        print(f"skipped the kernels: there is no folder {ladder.kernels}")
    if problems:
        return 1
    return SKIPPED if options.check and not ladder.has_kernels() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
