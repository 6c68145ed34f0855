# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""The trees in shared memory: 16 values, waves of 4 lanes (GPUs have 32 or 64)."""

from canvas import CELL_W, Figure

VALUES = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
LEFT, STEP = 24, 92


def column(i):
    return LEFT + i * CELL_W + CELL_W / 2


def tree(title, desc, levels, notes, barrier=None):
    """levels: lists of (thread, target, source); notes: one pair of lines a level."""
    figure = Figure(860, 106 + STEP * len(levels), title, desc)
    figure.words(LEFT, 24, "shared memory of a block", "head")
    figure.words(600, 24, "threads that work, waves of 4", "head")
    values, y = list(VALUES), 36
    figure.row(LEFT, y, values, "shared")
    for index, (level, note) in enumerate(zip(levels, notes)):
        below = y + STEP
        new = list(values)
        for thread, target, source in level:
            new[target] = values[target] + values[source]
            x = column(target)
            figure.line(x, y + 24, x, y + 50)
            figure.line(column(source), y + 24, x + 9, y + 55)
            figure.arrow(x, y + 72, x, below)
        for thread, target, source in level:
            figure.thread(column(target), y + 61, thread)
        targets = [target for _, target, _ in level]
        kinds = ["shared" if i in targets else "idle" for i in range(16)]
        figure.row(LEFT, below, [new[i] if i in targets else "" for i in range(16)], kinds)
        active = [any(t == i for t, _, _ in level) for i in range(16)]
        figure.waves(600, y + 34, active)
        figure.lines(600, y + 58, note)
        if barrier:
            barrier(figure, index, below - 10)
        values, y = new, below
    figure.words(LEFT, y + 50, "circle: the thread that adds.  dashed: no longer read.", "small")
    return figure


def interleaved():
    levels = [[(j, j, j + i) for j in range(0, 16, 2 * i)] for i in (1, 2, 4, 8)]
    return tree(
        "Interleaved tree",
        "Sixteen values in shared memory are added in pairs at distances 1, 2, 4 and 8. Thread 0, "
        "2, 4 and so on work first, then 0, 4, 8, 12: every wave keeps a few busy lanes.",
        levels, [["distance 1: 4 waves, half of the lanes"], ["distance 2: 4 waves, a quarter"],
                 ["distance 4: 2 waves, one lane each"], ["distance 8: 1 wave, one lane"]])


def less_divergence():
    levels = [[(t, 2 * i * t, 2 * i * t + i) for t in range(16 // (2 * i))] for i in (1, 2, 4, 8)]
    return tree(
        "The same tree, threads renumbered",
        "The same pairs are added, by threads 0 to 7, then 0 to 3, 0 and 1, and 0: waves with no "
        "work drop out whole. Neighbouring lanes are now 2, 4 or 8 words apart.",
        levels, [["distance 1: 2 waves, all lanes", "stride of the lanes: 2 words"],
                 ["distance 2: 1 wave, all lanes", "stride 4"], ["distance 4: 1 wave", "stride 8"],
                 ["distance 8: 1 wave", "stride 16"]])


HALVES = [[(t, t, t + i) for t in range(i)] for i in (8, 4, 2, 1)]


def conflict_free():
    return tree(
        "Tree of halves",
        "Threads 0 to 7 add the upper half to the lower half, then 0 to 3, 0 and 1, and 0. "
        "Neighbouring lanes always touch neighbouring words.",
        HALVES, [["distance 8: 2 waves, all lanes", "stride of the lanes: 1 word"],
                 ["distance 4: 1 wave, all lanes", "stride 1"], ["distance 2: 1 wave", "stride 1"],
                 ["distance 1: 1 wave", "stride 1"]])


def last_wave():
    def barrier(figure, index, y):
        if index == 3:
            return
        kind = "bar" if index == 0 else "soft"
        figure.line(LEFT - 10, y, LEFT + 16 * CELL_W + 10, y, kind)

    figure = tree(
        "No barrier inside the last wave",
        "A tree of halves. After distance 8 the whole block meets at a barrier. From distance 4 on "
        "only one wave works, and only its own lanes have to wait for one another.",
        HALVES, [["distance 8: 2 waves", "then a barrier of the block (red)"],
                 ["distance 4: the last wave", "then its lanes only (green)"],
                 ["distance 2: the last wave", "then its lanes only"],
                 ["distance 1: the last wave"]],
        barrier)
    return figure
