#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Draws the figures of the ladder: draw.py writes them beside itself, draw.py --check only says
whether they are up to date."""

import sys
from pathlib import Path

import grids
import lanes
import trees

FIGURES = {
    "fold": grids.fold,
    "atomic_per_element": grids.atomic_per_element,
    "shared_serial": grids.shared_serial,
    "tree_interleaved": trees.interleaved,
    "tree_less_divergence": trees.less_divergence,
    "bank_conflicts": lanes.bank_conflicts,
    "tree_conflict_free": trees.conflict_free,
    "tree_first_add": lanes.first_add,
    "tree_last_wave": trees.last_wave,
    "wave_tail": lanes.wave_tail,
    "wave_first": lanes.wave_first,
    "items_per_thread": lanes.items_per_thread,
    "halving": grids.halving,
    "block_atomic": grids.block_atomic,
    "block_atomic_x4": lanes.block_atomic_x4,
    "multi_kernel": grids.multi_kernel,
    "grid_stride": grids.grid_stride,
    "vectorized": lanes.vectorized,
    "more_ilp": lanes.more_ilp,
    "global_data_share": grids.global_data_share,
}


def main(arguments):
    folder = Path(__file__).resolve().parent
    stale = []
    for name, draw in FIGURES.items():
        path, text = folder / f"{name}.svg", draw().text()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.name)
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    if "--check" in arguments and stale:
        print("not what draw.py draws:", ", ".join(stale), "- run docs/ladder/figures/draw.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
