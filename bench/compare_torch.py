#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Times PyTorch's reductions along axes as compare_cub times CUB's: own shares between two small
kernels, in a replayed graph and queued call by call. bench/README.md tells how to read it."""
import argparse
import functools
import json
import math
import re
import statistics
import sys

TYPES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "i8": "int8",
         "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8"}
OPS = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "argmax": "argmax",
       "argmin": "argmin", "max_argmax": "max", "min_max": "aminmax", "logsumexp": "logsumexp",
       "mean_variance": "var_mean", "mean_sample_variance": "var_mean"}
SEGMENT_OPS = ("sum", "mean", "max", "min")  # that torch.segment_reduce has
SKEWS = ("uniform", "zipf", "giant")
DEGREES = ("equal", "rmat", "mesh", "lognormal", "half-empty")
OF_ONE_AXIS = ("argmax", "argmin", "max_argmax", "min_max")
MORE = {"mean_variance": {"correction": 0}, "mean_sample_variance": {"correction": 1}}
MODES = ("between", "stream")
SMALL_BLOCK = 128  # elements that a small kernel changes on each multiprocessor
MOST_COPIES = 1024


def count_of(text):
    """2^24, 3*2^20, 16M or digits, as redtune reads counts."""
    match = re.fullmatch(r"(?:(\d+)\*)?2\^(\d+)|(\d+)([KMG]?)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is no count")
    factor, power, digits, unit = match.groups()
    if power is not None:
        return int(factor or 1) << int(power)
    return int(digits) << 10 * " KMG".index(unit or " ")


def counts_of(text):
    """A list of counts and of ranges in which each count is twice the one before, or so many times
    as large: 3,2^1..2^27,2^2..2^18:4."""
    counts = []
    for part in text.split(","):
        ends, *step = part.split(":")
        first, *more = [count_of(end) for end in ends.split("..")]
        last = more[-1] if more else first
        times = count_of(step[0]) if step else 2
        if first < 1 or last < first or len(more) > 1 or times < 2 or len(step) > len(more):
            raise argparse.ArgumentTypeError(f"'{part}' is no range: it goes up, from 1 or more")
        while first <= last:
            counts.append(first)
            first *= times
    return counts


def shapes_of(text):
    return [tuple(count_of(extent) for extent in part.split("x")) for part in text.split(",")]


def names_in(known):
    def read(text):
        for name in text.split(","):
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown name '{name}'; known: {', '.join(known)}")
        return text.split(",")
    return read


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    problems = parser.add_mutually_exclusive_group(required=True)
    problems.add_argument("--shape", type=shapes_of, help="e.g. 262144x1000,4096x11008")
    problems.add_argument("--row-lengths", type=counts_of, help="rows, e.g. 2^1..2^27,1000")
    problems.add_argument("--segments", type=counts_of, help="so many segments of --total elements, e.g. 2^20")
    parser.add_argument("--skew", choices=SKEWS, default="uniform", help="how their lengths are spread")
    parser.add_argument("--degrees", choices=DEGREES, help="or as rows of matrices, as compare_cub has them")
    parser.add_argument("--axis", type=lambda text: [int(axis) for axis in text.split(",")],
                        help="axes of --shape to reduce, from 0, or from -1 backwards [all]")
    parser.add_argument("--total", type=count_of,
                        help="elements of all rows of a length, or segments [2^28, or as usual of --degrees]")
    parser.add_argument("--types", type=names_in(TYPES), default=["f32"], help=", ".join(TYPES))
    parser.add_argument("--ops", type=names_in(OPS), default=["sum"], help=", ".join(OPS))
    parser.add_argument("--modes", type=names_in(MODES), default=list(MODES), help="between, stream")
    parser.add_argument("--rounds", type=int, default=15, help="samples of each mode [15]")
    parser.add_argument("--cold", action="store_true", help="nothing of the input in the cache")
    parser.add_argument("--roof", type=float, help="GB/s that compare_cub finds for reading alone")
    parser.add_argument("--json", help="write everything to this file, too")
    options = parser.parse_args(words)
    if options.row_lengths is None and options.segments is None and options.total is not None:
        parser.error("--total is of rows and segments; name them by --row-lengths or --segments")
    if options.segments is None and (options.skew != "uniform" or options.degrees):
        parser.error("--skew and --degrees are of --segments; say how many there are")
    if options.degrees and options.skew != "uniform":
        parser.error("--skew and --degrees both say how lengths are spread; leave one of them out")
    if options.shape is None and options.axis is not None:
        parser.error("--axis is of arrays; name their extents by --shape")
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    try:
        options.problems = problems_of(options)
    except ValueError as error:
        parser.error(str(error))
    return options


def problems_of(options):
    """Extents and axes, these from 0 and in order, of every array."""
    total = options.total or 1 << 28
    if options.segments is not None:
        return [((options.total or usual_elements(options.degrees, count) or total,),
                 Segments(count, options.skew, options.degrees)) for count in options.segments]
    if options.row_lengths is not None:
        if max(options.row_lengths) > total:
            raise ValueError("--row-lengths: a row is more than all of them, --total")
        return [((total // length, length), (1,)) for length in options.row_lengths]
    problems = []
    for extents in options.shape:
        axes = range(len(extents)) if options.axis is None else options.axis
        if any(not -len(extents) <= axis < len(extents) for axis in axes) or min(extents) < 1:
            raise ValueError(f"--shape: {text_of(extents, ())} has no such axis, or no element")
        problems.append((extents, tuple(sorted({axis % len(extents) for axis in axes}))))
    return problems


# How many elements rows of matrices have, number by number as bench/compare/degrees.cpp has them;
# docs/how-to/compare_with_cub.md tells the formulas and where they are from.
WORD = (1 << 64) - 1
EDGES_OF_VERTEX, ZERO_BIT = 16, 0.57 + 0.19  # of Graph500
RATINGS_OF_USER, SIGMA, UNITS = 144, 1.2, 1 << 16


def random_part(i):
    """[0, 1), by the finalizer of SplitMix64."""
    x = (i + 0x9e3779b97f4a7c15) & WORD
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9 & WORD
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb & WORD
    return ((x ^ (x >> 31)) >> 11) / (1 << 53)


def shuffled(i, n):
    """Each of 0 .. n - 1 once, in an order that looks like none."""
    mask = (1 << (n - 1).bit_length()) - 1
    while True:
        i = (i * 0x9e3779b97f4a7c15 + 0x7f4a7c15) & mask
        i ^= i >> 3
        i = i * 0xbf58476d1ce4e5b9 & mask
        if i < n:
            return i


def normal(i):
    return math.sqrt(-2 * math.log(1 - random_part(2 * i))) * math.cos(2 * math.pi * random_part(2 * i + 1))


def rounded(x):
    """To the nearest whole number, of 0 or more; a half upwards."""
    whole = math.floor(x)
    return whole + (x - whole >= 0.5)


def poisson(mean, i):
    if mean >= 32:
        return rounded(max(0, mean + math.sqrt(mean) * normal(i)))
    part, value = random_part(i), 0
    chance = below = math.exp(-mean)
    while part >= below and value < 200:
        value += 1
        chance *= mean / value
        below += chance
    return value


def grid_width(rows):
    return math.isqrt(rows - 1) + 1 if rows else 0


def usual_elements(degrees, rows):
    """Of so many rows where nobody says how many; None where there is no usual number."""
    if degrees == "rmat":
        return EDGES_OF_VERTEX * rows
    if degrees == "mesh":
        width = grid_width(rows)
        return 5 * rows - 2 * (-(-rows // max(width, 1)) + width)
    return RATINGS_OF_USER * rows if degrees == "lognormal" else None


def weight_of(degrees, row, rows):
    if degrees == "rmat":
        levels = (rows - 1).bit_length()
        ones = bin(shuffled(row, rows)).count("1")
        share = math.pow(ZERO_BIT, levels - ones) * math.pow(1 - ZERO_BIT, ones)
        return poisson(EDGES_OF_VERTEX * 2.0**levels * share, row)
    if degrees == "mesh":
        width = grid_width(rows)
        column = row % width
        return (1 + (column > 0) + (column + 1 < width and row + 1 < rows) + (row >= width) +
                (row + width < rows))
    if degrees == "lognormal":
        return rounded(UNITS * math.exp(SIGMA * normal(row)))
    if degrees == "half-empty":
        return 0 if shuffled(row, rows) % 2 == 0 else rounded(UNITS * (0.5 + random_part(row)))
    return 1


@functools.lru_cache(maxsize=1)
def lengths_of_degrees(degrees, rows, total):
    weights = [weight_of(degrees, row, rows) for row in range(rows)]
    if sum(weights) == 0:
        weights[-1] = 1
    everything = sum(weights)
    lengths, passed, last = [], 0, 0
    for weight in weights:
        passed += weight
        end = total * passed // everything
        lengths.append(end - last)
        last = end
    return lengths


class Segments:
    """Segments in the place of axes: how many, and how their lengths are spread."""

    def __init__(self, count, skew, degrees=None):
        self.count, self.skew, self.degrees = count, skew, degrees

    def lengths(self, torch, total):
        """Of each, on the device: spread as redtune's tuner spreads them, or as rows of matrices."""
        if self.degrees:
            return torch.tensor(lengths_of_degrees(self.degrees, self.count, total), device="cuda")
        generator = torch.Generator(device="cuda").manual_seed(1)
        others = self.count - 1 if self.skew == "giant" and self.count > 1 else self.count
        if self.skew == "zipf":
            ranks = torch.randperm(others, device="cuda", generator=generator) + 1
            weights = 1.0 / ranks.double()
        else:
            weights = 0.5 + torch.rand(others, device="cuda", dtype=torch.float64, generator=generator)
        giant = total // 2 if others < self.count else 0
        ends = (torch.cumsum(weights, 0) / weights.sum() * (total - giant)).long()
        ends[-1] = total - giant
        lengths = torch.diff(ends, prepend=torch.zeros(1, dtype=torch.long, device="cuda"))
        if others == self.count:
            return lengths
        middle = self.count // 2
        return torch.cat([lengths[:middle], lengths.new_tensor([giant]), lengths[middle:]])


def text_of(extents, axes):
    """262144x[1000]: reduced extents in brackets."""
    if isinstance(axes, Segments):
        spread = axes.degrees or ("" if axes.skew == "uniform" else axes.skew)
        return f"{extents[0]} in {axes.count} segments {spread}".rstrip()
    return "x".join(f"[{n}]" if axis in axes else str(n) for axis, n in enumerate(extents))


def one_axis_of(extents, axes):
    """As redtune's shapes are: results before, elements of each, results behind; or nothing."""
    if isinstance(axes, Segments):
        spread = {"degrees": axes.degrees} if axes.degrees else {"skew": axes.skew}
        return {"count": extents[0], "segments": axes.count, **spread}
    if axes != tuple(range(axes[0], axes[-1] + 1)):
        return {}
    return {"outer": math.prod(extents[:axes[0]]), "count": math.prod(extents[i] for i in axes),
            "inner": math.prod(extents[axes[-1] + 1:])}


def interval_of(samples):
    """The median, and the samples between which it lies with 95 %, as statistics.cpp has it."""
    samples, n = sorted(samples), len(samples)
    rank = below = 0
    while (below := below + math.comb(n, rank) / 2**n) <= 0.025:
        rank += 1
    rank = max(rank, 1)
    return {"low": samples[rank - 1], "median": statistics.median(samples), "high": samples[n - rank]}


class Bench:
    """Steps of one reduction between two small kernels, on copies of an input."""

    def __init__(self, torch, reduce, make_input, cold):
        self.torch, self.reduce, self.cold = torch, reduce, cold
        properties = torch.cuda.get_device_properties(0)
        cache = properties.L2_cache_size
        first = make_input()
        size = first.numel() * first.element_size()
        copies = -(-2 * cache // size) if cold else cache // 4 // size
        copies = min(max(copies, 1), MOST_COPIES if cold else 16)
        self.inputs = [first] + [first.clone() for _ in range(copies - 1)]
        self.other = torch.zeros(2 * cache, dtype=torch.uint8, device="cuda") if cold else None
        self.before, self.after = (
            torch.zeros(properties.multi_processor_count * SMALL_BLOCK, device="cuda")
            for _ in range(2))

    def queue(self, executions, reduce):
        """Cold: copies in turns. Warm: one, and then the next."""
        copies = len(self.inputs)
        for i in range(executions):
            self.before.add_(1)
            if reduce:
                reduce(self.inputs[i % copies if self.cold else i * copies // executions])
            self.after.add_(1)

    def sample(self, executions, work):
        """Microseconds of one execution."""
        if self.other is not None:
            self.other.add_(1)
        self.torch.cuda.synchronize()
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3 / executions

    def work_of(self, mode, executions, reduce):
        if mode == "stream":
            return lambda: self.queue(executions, reduce)
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            self.queue(executions, reduce)
        return graph.replay

    def own_shares(self, mode, rounds):
        """Executions in a sample, and the own share in each round."""
        shortest = 2000 if mode == "stream" else 1000
        self.queue(4, self.reduce)  # what is made once is made here
        rough = self.sample(4, lambda: self.queue(4, self.reduce))
        executions = min(max(math.ceil(shortest / rough), 4), MOST_COPIES)
        whole = self.work_of(mode, executions, self.reduce)
        alone = self.work_of(mode, executions, None)
        shares = []
        for _ in range(rounds + 1):
            for work in (alone, whole):
                work()  # the first replay behind other work is slower
            shares.append(self.sample(executions, whole) - self.sample(executions, alone))
        return executions, shares[1:]  # the first is a warm-up


def measure(torch, options, op, type_name, extents, axes):
    dtype = getattr(torch, TYPES[type_name])
    cell = {"op": op, "type": type_name, "shape": text_of(extents, axes),
            **one_axis_of(extents, axes), "extents": extents, "state": "measured"}
    is_segmented = isinstance(axes, Segments)
    if not is_segmented:
        cell["axes"] = axes

    def make_input():
        low = 0 if type_name == "u8" else -31
        return torch.randint(low, 32, extents, dtype=torch.int8, device="cuda").to(dtype)

    lengths = axes.lengths(torch, extents[0]) if is_segmented else None

    def reduce(x):
        if is_segmented:
            return torch.segment_reduce(x, op, lengths=lengths, unsafe=True)
        dim = axes[0] if op in OF_ONE_AXIS else axes
        return getattr(torch, OPS[op])(x, dim=dim, **MORE.get(op, {}))

    if is_segmented and op not in SEGMENT_OPS:
        return {**cell, "state": "skipped", "note": f"torch has no {op} of segments"}
    if not is_segmented and op in OF_ONE_AXIS and len(axes) > 1:
        return {**cell, "state": "skipped", "note": f"torch has no {op} of several axes"}
    try:
        bench = Bench(torch, reduce, make_input, options.cold)
        results = reduce(bench.inputs[0])
        several = results if isinstance(results, tuple) else (results,)
        read = [bench.inputs[0], *several] + ([lengths] if is_segmented else [])
        moved = sum(x.numel() * x.element_size() for x in read)
        cell.update(copies=len(bench.inputs), moved_bytes=moved)
        for mode in options.modes:
            executions, samples = bench.own_shares(mode, options.rounds)
            us = interval_of(samples)
            cell[mode] = {"torch": {"executions": executions, "time_us": us, "samples_us": samples,
                                    "gb_per_s": moved / us["median"] / 1e3}}
    except RuntimeError as error:  # no memory, or no kernel for the type
        cell.update(state="failed", note=str(error).splitlines()[0])
    return cell


def row_of(cell, options):
    row = f"{cell['op']:<22}{cell['type']:<5}{cell['shape']:<22}"
    for mode in options.modes:
        if mode not in cell:
            continue
        times = cell[mode]["torch"]
        share = f"{100 * times['gb_per_s'] / options.roof:8.1f} %" if options.roof else ""
        row += f"{times['time_us']['median']:12.2f}{times['gb_per_s']:10.1f}{share}"
    return row + "  " + cell.get("note", "")


def run(options):
    try:
        import torch
    except ImportError as error:
        print(f"compare_torch.py: this Python has no PyTorch: {error}", file=sys.stderr)
        return 2
    if not torch.cuda.is_available():
        print("compare_torch.py: PyTorch finds no GPU", file=sys.stderr)
        return 2
    machine = {"device": torch.cuda.get_device_name(0), "torch": torch.__version__}
    print(f"{machine['device']}, PyTorch {machine['torch']}, own shares, medians of {options.rounds} "
          f"rounds, input {'cold' if options.cold else 'warm'}; GB/s: elements and results")
    share = f"{'roof':>10}" if options.roof else ""
    print(f"{'op':<22}{'type':<5}{'shape':<22}" +
          "".join(f"{mode + ' us':>12}{'GB/s':>10}{share}" for mode in options.modes))
    cells = []
    for type_name in options.types:
        for op in options.ops:
            for extents, axes in options.problems:
                cells.append(measure(torch, options, op, type_name, extents, axes))
                print(row_of(cells[-1], options), flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "input": "cold" if options.cold else "warm",
                       "rounds": options.rounds, "cells": cells}, file)
    return 1 if any(cell["state"] == "failed" for cell in cells) else 0


if __name__ == "__main__":
    sys.exit(run(parse(sys.argv[1:])))
