# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Figures of what blocks and launches do."""

from canvas import CELL_W, Figure
from trees import VALUES, LEFT, column


def fold():
    figure = Figure(760, 290, "A fold, and a fold in pieces",
                    "Above: a left fold adds elements one after another. Below: the elements are "
                    "cut into four pieces, each piece is folded by itself, and the four results "
                    "are folded.")
    figure.words(LEFT, 24, "left fold: each addition waits for the one before", "head")
    figure.row(LEFT, 36, VALUES[:8])
    for i in range(1, 8):
        figure.thread(column(i), 86, "+", 9)
        figure.line(column(i), 60, column(i), 77)
        start = column(0) if i == 1 else column(i - 1) + 9
        if i == 1:
            figure.line(column(0), 60, column(0), 86)
        figure.arrow(start, 86, column(i) - 10, 86)
    figure.arrow(column(7) + 9, 86, column(7) + 44, 86)
    figure.cell(column(7) + 46, 74, sum(VALUES[:8]), "register", 40)
    figure.words(LEFT, 136, "fold in pieces: allowed when the operation is associative", "head")
    for p in range(4):
        x = LEFT + p * (4 * CELL_W + 36)
        figure.row(x, 148, VALUES[4 * p:4 * p + 4])
        middle = x + 2 * CELL_W
        for i in range(4):
            figure.line(x + (i + 0.5) * CELL_W, 172, middle, 198)
        figure.arrow(middle, 198, middle, 210)
        figure.cell(middle - 20, 212, sum(VALUES[4 * p:4 * p + 4]), "register", 40)
        figure.line(middle, 236, 380, 256)
    figure.arrow(380, 256, 380, 262)
    figure.cell(355, 263, sum(VALUES), "register", 50, 22)
    return figure


def atomic_per_element():
    figure = Figure(640, 220, "Every thread adds to one address",
                    "Sixteen threads each load one element and add it to one word in memory. The "
                    "additions to that word happen one after another.")
    figure.words(LEFT, 24, "global memory", "head")
    figure.row(LEFT, 36, VALUES)
    for i in range(16):
        figure.arrow(column(i), 60, column(i), 78)
        figure.thread(column(i), 90, i)
        figure.arrow(column(i), 101, 296 + (i - 7.5) * 3, 162, "hotarrow")
    figure.cell(262, 164, sum(VALUES), "hot", 68, 28)
    figure.lines(346, 176, ["one word: the additions queue,", "one behind the other"])
    return figure


def shared_serial():
    figure = Figure(700, 262, "One thread adds for the block",
                    "Two blocks of eight threads. All threads load an element into shared memory; "
                    "then thread 0 of each block adds the eight words one after another and adds "
                    "the sum to the result.")
    for block in range(2):
        left = 30 + block * 330
        figure.words(left, 24, f"block {block}", "head")
        figure.row(left, 36, VALUES[8 * block:8 * block + 8])
        for i in range(8):
            x = left + (i + 0.5) * CELL_W
            figure.arrow(x, 60, x, 72)
            figure.thread(x, 82, i, 10)
            figure.arrow(x, 92, x, 106)
        figure.row(left, 108, VALUES[8 * block:8 * block + 8], "shared")
        x = left + CELL_W / 2
        figure.thread(x, 158, 0)
        figure.path(f"M{left + CELL_W / 2} 132L{left + CELL_W / 2} 140L{left + 7.5 * CELL_W} 140")
        figure.words(left + 38, 162, "walks over all 8 words", "small")
        figure.arrow(x, 170, 350 + (-24 if block == 0 else 24), 212, "hotarrow")
    figure.cell(316, 214, sum(VALUES), "hot", 68, 28)
    figure.words(396, 232, "one atomic addition a block", "small")
    return figure


def passes(figure, y, title, widths, notes):
    figure.words(24, y, title, "head")
    for i, (width, note) in enumerate(zip(widths, notes)):
        top = y + 12 + 34 * i
        figure.box(24, top, width, 18, "global")
        figure.words(24 + width + 10, top + 13, note, "small")
        if i + 1 < len(widths):
            figure.arrow(24 + widths[i + 1] / 2, top + 18, 24 + widths[i + 1] / 2, top + 34)


def halving():
    figure = Figure(700, 346, "Repeated launches",
                    "Bars for what each launch reads. With two elements a thread each launch "
                    "leaves half, with four it leaves a quarter: fewer launches, less traffic.")
    passes(figure, 26, "2 elements a thread: traffic 3 N", [440, 220, 110, 55],
           ["N read, N/2 written", "N/2 read, N/4 written", "N/4 …",
            "…, one launch per factor of 2"])
    passes(figure, 192, "4 elements a thread: traffic 5/3 N", [440, 110, 28],
           ["N read, N/4 written", "N/4 read, N/16 written", "…, one launch per factor of 4"])
    figure.words(24, 332, "N counts elements; the sums of the geometric series", "small")
    return figure


def blocks_row(figure, y, count, label, kind="register"):
    """Blocks as boxes; returns the middles of their lower edges."""
    left, w, gap = 40, 90, 20
    for b in range(count):
        x = left + b * (w + gap)
        figure.box(x, y, w, 50, kind, 6)
        figure.words(x + w / 2, y + 21, f"block {b}", "", "middle")
        figure.words(x + w / 2, y + 38, label, "small", "middle")
    return [left + b * (w + gap) + w / 2 for b in range(count)]


def block_atomic():
    figure = Figure(600, 190, "One atomic addition a block",
                    "Five blocks reduce their elements to one value each, by shuffles and shared "
                    "memory, and each adds it to one word in memory.")
    figure.words(40, 24, "each block: shuffles, one barrier, shuffles", "head")
    for x in blocks_row(figure, 36, 5, "1 value"):
        figure.arrow(x, 86, 305 + (x - 305) * 0.12, 136, "hotarrow")
    figure.cell(265, 138, "sum", "hot", 80, 28)
    figure.words(360, 157, "N / 256 additions queue here", "small")
    return figure


def multi_kernel():
    figure = Figure(700, 196, "The same kernel again and again",
                    "A first launch reduces 16,777,216 elements to 65,536 partial sums, a second "
                    "those to 256, a third those to one.")
    figure.words(24, 24, "blocks of 256; 2^24 elements", "head")
    rows = ((500, "2^24 elements", "launch 1: 65,536 blocks"),
            (200, "2^16 partials", "launch 2: 256 blocks"),
            (90, "2^8", "launch 3: 1 block"), (40, "1", ""))
    for i, (width, inside, launch) in enumerate(rows):
        y = 36 + 40 * i
        figure.cell(24, y, inside, "global" if i == 0 else "register", width, 22)
        if launch:
            figure.arrow(44, y + 22, 44, y + 40)
            figure.words(54, y + 35, launch, "small")
    return figure


def grid_stride():
    figure = Figure(700, 270, "A fixed grid strides over the input",
                    "Three blocks take the tiles 0 to 8 in turn: block 0 takes 0, 3 and 6, and so "
                    "on. Each keeps one accumulator a thread and stores one partial; a second "
                    "launch of one block folds the partials.")
    figure.words(24, 24, "tiles of the input, dealt round to a fixed number of blocks", "head")
    kinds = ("global", "shared", "register")
    left, w = 24, 70
    for t in range(9):
        figure.cell(left + t * w, 36, f"block {t % 3}", kinds[t % 3], w, 26)
    for t in range(9):
        b = t % 3
        figure.arrow(left + (t + 0.5) * w, 62, 160 + 190 * b + (t // 3 - 1) * 16, 108,)
    for b in range(3):
        figure.box(100 + 190 * b, 110, 120, 44, kinds[b], 6)
        figure.words(160 + 190 * b, 128, f"block {b}", "", "middle")
        figure.words(160 + 190 * b, 145, "adds as it goes", "small", "middle")
        figure.arrow(160 + 190 * b, 154, 320 + 30 * b, 184)
        figure.cell(305 + 30 * b, 186, "", kinds[b], 30, 20)
    figure.words(410, 201, "partials: as many as blocks", "small")
    figure.arrow(350, 206, 350, 228)
    figure.box(290, 230, 120, 26, "register", 6)
    figure.words(350, 248, "one block", "", "middle")
    figure.words(424, 248, "second launch", "small")
    return figure


def global_data_share():
    figure = Figure(640, 272, "Finishing without a second launch",
                    "Four blocks store their partials where all can see them: in the global data "
                    "share of some AMD GPUs, or in memory with a ticket counter. The last block "
                    "folds them.")
    figure.words(40, 24, "each block stores its partial; the last one folds all", "head")
    middles = blocks_row(figure, 36, 4, "1 partial")
    for i, x in enumerate(middles):
        figure.arrow(x, 86, 175 + 36 * i, 124)
        figure.cell(157 + 36 * i, 126, "p" + str(i), "shared", 36)
    figure.cell(360, 126, "ticket: 4", "hot", 90)
    figure.arrow(middles[3] + 10, 86, 405, 124, "hotarrow")
    figure.arrow(265, 150, 265, 182)
    figure.box(190, 184, 150, 34, "register", 6)
    figure.words(265, 205, "last block folds", "", "middle")
    figure.words(460, 142, "block 3 took the last one", "small")
    figure.lines(40, 242, [
        "global data share: partials and counter on the chip, some AMD GPUs, assembly only",
        "last_block: partials and counter in memory (in practice the L2), any GPU"])
    return figure
