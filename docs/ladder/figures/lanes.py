# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Figures of what lanes and threads do: banks, shuffles, loads."""

from canvas import CELL_W, Figure
from trees import VALUES, LEFT, column


def banks(figure, y, stride, words):
    """Eight lanes reach into eight banks at a stride."""
    left, w = 170, 60
    figure.words(24, y + 15, f"stride {stride}", "head")
    figure.lines(24, y + 33, words)
    for lane in range(8):
        figure.thread(left + lane * w + w / 2, y + 12, lane)
    hits = [0] * 8
    for lane in range(8):
        bank = lane * stride % 8
        hits[bank] += 1
    for lane in range(8):
        bank = lane * stride % 8
        kind = "hotarrow" if hits[bank] > 1 else "arrow"
        figure.arrow(left + lane * w + w / 2, y + 23, left + bank * w + w / 2, y + 74, kind)
    for bank in range(8):
        kind = "idle" if not hits[bank] else "shared" if hits[bank] == 1 else "hot"
        figure.cell(left + bank * w, y + 76, f"bank {bank}", kind, w, 26)


def bank_conflicts():
    figure = Figure(680, 386, "Bank conflicts",
                    "Eight lanes reach into eight banks. At stride 1 each lane has a bank of its "
                    "own; at stride 2 two lanes share a bank; at stride 8 all of them meet in one.")
    banks(figure, 20, 1, ["one pass"])
    banks(figure, 142, 2, ["two lanes a bank:", "two passes"])
    banks(figure, 264, 8, ["all in one bank:", "eight passes"])
    return figure


def first_add():
    figure = Figure(640, 190, "Both halves are loaded by every thread",
                    "A block of eight threads takes sixteen elements: thread t loads elements t "
                    "and t + 8, adds them, and stores the sum in shared memory.")
    figure.words(LEFT, 24, "global memory: two blocks' worth", "head")
    figure.row(LEFT, 36, VALUES)
    for t in range(8):
        figure.line(column(t), 60, column(t), 80)
        figure.line(column(t + 8), 60, column(t) + 10, 86)
        figure.arrow(column(t), 102, column(t), 126)
    for t in range(8):
        figure.thread(column(t), 91, t)
    figure.row(LEFT, 128, [VALUES[t] + VALUES[t + 8] for t in range(8)], "shared")
    figure.lines(310, 138, ["shared memory: half as many words, and",
                            "the tree begins one level lower"])
    figure.words(LEFT, 176, "each thread has two loads under way before it adds", "small")
    return figure


def wave_tail():
    figure = Figure(700, 330, "Shuffles in the last wave",
                    "The last eight sums in shared memory are loaded into the registers of a wave "
                    "of four lanes, two a lane. Then each lane adds the register of the lane 2, "
                    "and then 1, above it. Lane 0 holds the result.")
    values = [8, 4, 9, 9, 14, 16, 11, 9]
    left, w = 60, 70
    figure.words(24, 24, "shared memory, all that is left of the block's tree", "head")
    figure.row(left, 36, values, "shared", w)
    lanes = [values[t] + values[t + 4] for t in range(4)]

    def x(t):
        return left + t * w + w / 2

    for t in range(4):
        figure.arrow(x(t), 60, x(t), 104)
        figure.arrow(x(t + 4), 60, x(t) + 22, 104)
    y = 106
    for distance in (2, 1, 0):
        figure.row(left, y, lanes, ["register" if t < max(2 * distance, 1) else "idle"
                                    for t in range(4)], w)
        if distance:
            for t in range(distance):
                figure.arrow(x(t), y + 24, x(t), y + 76)
                figure.arrow(x(t + distance), y + 24, x(t) + 22, y + 76)
            figure.words(left + 4 * w + 30, y + 54,
                         f"shuffle from the lane {distance} above", "small")
            lanes = [lanes[t] + (lanes[t + distance] if t + distance < 4 else lanes[t])
                     for t in range(4)]
        y += 78
    figure.words(left + 4 * w + 30, 122, "registers of the lanes 0 to 3", "head")
    figure.words(left + 4 * w + 30, 278, "lane 0: the block's sum", "head")
    figure.words(24, 316, "dashed: what these lanes hold is of no account", "small")
    return figure


def wave_first():
    figure = Figure(700, 320, "Waves first",
                    "Sixteen threads in four waves of four lanes. Each wave adds its lanes by "
                    "shuffles and stores one word in shared memory. After one barrier the first "
                    "wave loads the four words and adds them by shuffles.")
    figure.words(LEFT, 24, "registers of 16 threads, four waves", "head")
    gap = 22

    def x(i):
        return LEFT + i * CELL_W + (i // 4) * gap

    sums = [sum(VALUES[4 * w:4 * w + 4]) for w in range(4)]
    for i in range(16):
        figure.cell(x(i), 36, VALUES[i], "register")
    for w in range(4):
        middle = x(4 * w) + 2 * CELL_W
        for i in range(4):
            figure.line(x(4 * w + i) + CELL_W / 2, 60, middle, 88)
        figure.arrow(middle, 88, middle, 112)
        figure.cell(middle - 20, 114, sums[w], "shared", 40)
        figure.line(middle, 138, middle, 158)
        figure.line(middle, 158, 180 + w * 40, 188)
        figure.arrow(180 + w * 40, 188, 180 + w * 40, 202)
        figure.cell(160 + w * 40, 204, sums[w], "register", 40)
        figure.line(180 + w * 40, 228, 240, 254)
    figure.line(LEFT - 10, 158, LEFT + 16 * CELL_W + 3 * gap + 10, 158, "bar")
    figure.arrow(240, 254, 240, 272)
    figure.cell(215, 274, sum(sums), "register", 50)
    figure.words(540, 180, "one barrier (red)", "small")
    figure.words(356, 221, "registers of the first wave", "small")
    figure.words(356, 291, "lane 0: the block's sum", "small")
    figure.words(LEFT, 131, "shuffles", "small")
    figure.words(LEFT, 250, "shuffles", "small")
    return figure


def items_per_thread():
    figure = Figure(640, 196, "Several items a thread",
                    "Four threads of a block fold sixteen elements: each takes four neighbouring "
                    "ones, adds them in a register, and only then the four registers are reduced.")
    figure.words(LEFT, 24, "global memory: 4 items a thread, 4 threads", "head")
    for t in range(4):
        figure.box(LEFT + 4 * t * CELL_W - 1, 33, 4 * CELL_W + 2, 30, "group")
    figure.row(LEFT, 36, VALUES)
    for t in range(4):
        middle = LEFT + (4 * t + 2) * CELL_W
        for i in range(4):
            figure.line(column(4 * t + i), 60, middle, 88)
        figure.thread(middle, 94, t)
        figure.arrow(middle, 105, middle, 126)
        figure.cell(middle - 20, 128, sum(VALUES[4 * t:4 * t + 4]), "register", 40)
    figure.words(LEFT, 180, "then as before, with a quarter of the threads: waves, shared memory, "
                 "one value", "small")
    return figure


def block_atomic_x4():
    figure = Figure(640, 228, "One load of four elements",
                    "Above, four threads load four elements with four one-word loads. Below, one "
                    "thread loads the same sixteen bytes with one load.")
    for y, title in ((24, "1 element a thread: 256 threads for 256 elements"),
                     (122, "4 elements a thread: 64 threads for the same 256")):
        figure.words(LEFT, y, title, "head")
        figure.row(LEFT, y + 10, VALUES)
    for i in range(16):
        figure.arrow(column(i), 58, column(i), 72)
        figure.thread(column(i), 84, i)
    for t in range(4):
        middle = LEFT + (4 * t + 2) * CELL_W
        figure.box(LEFT + 4 * t * CELL_W - 1, 129, 4 * CELL_W + 2, 30, "group")
        figure.arrow(middle, 160, middle, 172)
        figure.thread(middle, 184, t)
    figure.words(LEFT, 216, "the same bytes; a quarter of the threads, of the load instructions "
                 "and of the shuffles", "small")
    return figure


def vectorized():
    figure = Figure(664, 176, "Vectors and what is left over",
                    "Eighteen elements: four whole vectors of four elements, loaded with one "
                    "instruction each, and a rest of two elements that are loaded one by one.")
    figure.words(LEFT, 24, "18 elements: 4 vectors of 16 bytes and a rest of 2", "head")
    for t in range(4):
        figure.box(LEFT + 4 * t * CELL_W - 1, 33, 4 * CELL_W + 2, 30, "group")
    figure.row(LEFT, 36, VALUES + [2, 7], ["global"] * 16 + ["hot"] * 2)
    for t in range(4):
        middle = LEFT + (4 * t + 2) * CELL_W
        figure.arrow(middle, 64, middle, 92)
        figure.thread(middle, 104, t)
    for t in range(2):
        x = LEFT + (16 + t) * CELL_W + CELL_W / 2
        figure.arrow(x, 61, x, 92)
        figure.thread(x, 104, t)
    figure.lines(LEFT, 140, [
        "one 16-byte load a thread and turn; neighbouring threads take neighbouring vectors,",
        "so a wave of 32 reads 512 bytes, one of 64 reads 1024. Red: loaded one by one."])
    return figure


def more_ilp():
    figure = Figure(700, 262, "One accumulator, or four",
                    "Left: one accumulator; each addition waits for the one before it. Right: four "
                    "accumulators, whose chains do not wait for one another and are added at the "
                    "end.")
    figure.words(24, 24, "one accumulator: a chain of 8", "head")
    for i in range(8):
        figure.cell(30, 36 + 26 * i, f"x{i}", "global", 40, 20)
        figure.thread(120, 46 + 26 * i, "+", 9)
        figure.arrow(70, 46 + 26 * i, 109, 46 + 26 * i)
        if i:
            figure.line(120, 46 + 26 * i - 17, 120, 46 + 26 * i - 9)
    figure.words(142, 232, "result after 8 additions in a row", "small")
    figure.words(350, 24, "four accumulators: chains of 2", "head")
    for a in range(4):
        x = 380 + 80 * a
        for i in range(2):
            figure.cell(x - 28, 40 + 40 * i, f"x{a + 4 * i}", "global", 32, 20)
            figure.thread(x + 28, 50 + 40 * i, "+", 9)
            figure.arrow(x + 4, 50 + 40 * i, x + 17, 50 + 40 * i)
        figure.line(x + 28, 59, x + 28, 81)
    for a in (0, 2):
        x, middle = 408 + 80 * a, 448 + 80 * a
        figure.line(x, 99, middle - 6, 135)
        figure.line(x + 80, 99, middle + 6, 135)
        figure.thread(middle, 142, "+", 9)
        figure.line(middle, 151, 528 + (-6 if a == 0 else 6), 185)
    figure.thread(528, 192, "+", 9)
    figure.words(546, 196, "after 4 in a row", "small")
    return figure
