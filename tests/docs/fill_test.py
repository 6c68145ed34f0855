# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""What docs/ladder/fill.py does to pages, with invented kernels and figures."""

import contextlib
import importlib.util
import io
import json
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "docs" / "ladder" / "fill.py"
spec = importlib.util.spec_from_file_location("fill", SOURCE)
fill = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fill)

KERNEL = "// SPDX-License-Identifier: MIT\n// Copyright (c) 2026 somebody\n\n// Adds.\nint add();\n"
PAGE = ("# step\n<!-- kernel:begin step -->\n<!-- kernel:end -->\nbetween\n"
        "<!-- ladder:begin gpu step -->\nold\n<!-- ladder:end -->\n[back](README.md)\n")
README = "# all\n[step](step.md)\n<!-- ladder:begin gpu -->\n<!-- ladder:end -->\n"


def attempt(us, **more):
    return {"launches": 3, "kernel_us": {"low": us, "median": us, "high": us},
            "system_us": {"low": 5e3, "median": 5e3, "high": 5e3}, "kernel_speed_up": 2.0,
            "system_speed_up": 1.01, "gigabytes_per_second": 1234.4, "share_of_read": 0.876, **more}


RUN = {"problem": {"in": "f32", "count": 1 << 24, "cache_mode": "cold"},
       "device": {"name": "Invented 1", "driver": "1.2", "compiler": "C 3"},
       "peak": {"gigabytes_per_second": 2000, "of": "memory"},
       "steps": [{"step": "step", **attempt(12.345, variant="fast"),
                  "variants": [attempt(12.345, variant="fast"), attempt(50, variant="slow")]},
                 {"step": "other", "failed": "wrong result: 3 instead of 4"}]}


class Filling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.pages = Path(folder.name) / "docs"
        self.kernels = Path(folder.name) / "kernel_templates" / "ladder"
        (self.pages / "results").mkdir(parents=True)
        self.kernels.mkdir(parents=True)
        (self.kernels / "step.hip.h").write_text(KERNEL)
        (self.pages / "step.md").write_text(PAGE)
        (self.pages / "README.md").write_text(README)
        self.said = ""

    def run_fill(self, *options):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = fill.main(["--pages", str(self.pages), "--kernels", str(self.kernels), *options])
        self.said = said.getvalue()
        return code

    def page(self, name="step.md"):
        return (self.pages / name).read_text(encoding="utf-8")

    def measure(self, name="gpu.json", run=None):
        (self.pages / "results" / name).write_text(json.dumps(run or RUN))

    def test_a_page_shows_the_file_without_its_licence(self):
        self.assertEqual(self.run_fill(), 0)
        self.assertIn("```cpp\n// Adds.\nint add();\n```\n<!-- kernel:end -->\nbetween",
                      self.page())
        self.assertNotIn("SPDX", self.page())

    def test_filling_twice_changes_nothing(self):
        self.measure()
        self.run_fill()
        first = self.page()
        self.run_fill()
        self.assertEqual(self.page(), first)
        self.assertEqual(self.run_fill("--check"), 0)

    def test_check_fails_and_changes_nothing_when_a_kernel_has_changed(self):
        self.run_fill()
        (self.kernels / "step.hip.h").write_text(KERNEL.replace("add", "subtract"))
        before = self.page()
        self.assertEqual(self.run_fill("--check"), 1)
        self.assertIn("step.md differs", self.said)
        self.assertEqual(self.page(), before)

    def test_check_fails_when_a_table_was_edited_by_hand(self):
        self.measure()
        self.run_fill()
        (self.pages / "step.md").write_text(self.page().replace("12.35", "11.00"))
        self.assertEqual(self.run_fill("--check"), 1)

    def test_check_is_skipped_without_kernels(self):
        self.run_fill()
        (self.kernels / "step.hip.h").unlink()
        self.kernels.rmdir()
        self.assertEqual(self.run_fill("--check"), fill.SKIPPED)
        self.assertIn("skipped the kernels", self.said)

    def test_nothing_measured_is_said(self):
        self.run_fill()
        self.assertIn(fill.NOT_YET, self.page())
        self.assertNotIn("old", self.page())

    def test_a_step_shows_all_its_variants(self):
        self.measure()
        self.run_fill()
        self.assertIn("Invented 1, 2^24 f32, cold; driver 1.2, C 3; read peak 2000 GB/s (memory):",
                      self.page())
        self.assertIn("| fast | 3 | 12.35 | 2.00 | 5.00 | 1.01 | 1234 | – | 87.6 |", self.page())
        self.assertIn("| slow | 3 | 50.00 |", self.page())

    def test_the_first_page_shows_the_best_of_each_step_and_what_failed(self):
        self.measure()
        self.run_fill()
        self.assertIn("| [`step`](step.md) fast | 3 | 12.35 |", self.page("README.md"))
        self.assertIn("| `other` | failed |", self.page("README.md"))
        self.assertNotIn("slow", self.page("README.md"))

    def test_runs_are_in_the_order_of_their_counts(self):
        self.measure("gpu_a.json", {**RUN, "problem": {**RUN["problem"], "count": 1 << 28}})
        self.measure("gpu_b.json")
        self.run_fill()
        self.assertLess(self.page().index("2^24"), self.page().index("2^28"))

    def test_check_finds_kernels_and_pages_that_nobody_shows(self):
        (self.kernels / "forgotten.hip.h").write_text(KERNEL)
        (self.pages / "lost.md").write_text("[no](such.md)\n")
        self.run_fill()
        self.assertEqual(self.run_fill("--check"), 1)
        self.assertIn("no page shows forgotten.hip.h", self.said)
        self.assertIn("README.md does not link lost.md", self.said)
        self.assertIn("lost.md: no such file: such.md", self.said)


if __name__ == "__main__":
    unittest.main()
