#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""Sums of rows from Python, beside torch's: redtune.sum(x, -1) and torch.sum(x, dim=-1), called one after the other as programs do, and
captured into a graph that is replayed.

    PYTHONPATH=build/release/python python_rows.py [--totals 2^20,2^24,2^28] [--lengths 4,16,64,256,1000,4096,65536]
                                                   [--rounds 7] [--warm] [--device cuda|cpu] [--json FILE]

Microseconds of a call, medians of rounds in which both take turns; what they gave was the same. bench/README.md tells how to read it.
"""

import argparse
import json
import math
import sys
import time

try:
    import torch
except ImportError as error:
    print(f"python_rows.py: this Python has no PyTorch: {error}", file=sys.stderr)
    sys.exit(2)
from compare_torch import counts_of, interval_of

import redtune

CALLS = {"redtune": lambda x: redtune.sum(x, -1), "torch": lambda x: torch.sum(x, dim=-1)}
SHORTEST_US = 2000  # of a sample
MOST_CALLS = 256  # of a sample: more would fill a device's queue
MOST_COPIES = 256


class Clock:
    """Microseconds of work, from when it begins to run until it has."""

    def __init__(self, device):
        self.is_gpu = device != "cpu"
        self.events = [torch.cuda.Event(enable_timing=True) for _ in range(2)] if self.is_gpu else []

    def time(self, work):
        if not self.is_gpu:
            begin = time.perf_counter()
            work()
            return (time.perf_counter() - begin) * 1e6
        torch.cuda.synchronize()
        self.events[0].record()
        work()
        self.events[1].record()
        self.events[1].synchronize()
        return self.events[0].elapsed_time(self.events[1]) * 1e3


def copies_of(total, device, warm):
    """So many that none is in the cache when its turn comes again; warm: one."""
    if device == "cpu" or warm:
        return 1
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    return min(max(-(-2 * cache // (4 * total)), 1), MOST_COPIES)


def inputs_of(total, device, copies):
    """Integers whose sums are exact in f32, in whichever order."""
    torch.manual_seed(1)
    first = torch.randint(-31, 32, (total,), dtype=torch.int8, device=device).float()
    return [first] + [first.clone() for _ in range(copies - 1)]


def queue_of(call, inputs, times):
    def work():
        for i in range(times):
            call(inputs[i % len(inputs)])
    return work


def graph_of(work):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def samples_of(clock, works, rounds):
    samples = {name: [] for name in works}
    for round_number in range(rounds + 1):
        for name, (work, times) in works.items():
            sample = clock.time(work) / times
            if round_number > 0:  # the first is a warm-up
                samples[name].append(sample)
    return samples


def measure(clock, inputs, length, rounds):
    rows = inputs[0].numel() // length
    shaped = [x[:rows * length].view(rows, length) for x in inputs]
    results = {name: call(shaped[0]) for name, call in CALLS.items()}
    cell = {"rows": rows, "length": length, "is_right": torch.equal(results["redtune"], results["torch"]),
            "match": redtune.query("sum", "f32", (rows, length), -1, device=shaped[0].device).match}
    queued = {}
    for name, call in CALLS.items():
        queue_of(call, shaped, 4)()
        rough = clock.time(queue_of(call, shaped, 4)) / 4
        times = min(max(math.ceil(SHORTEST_US / rough), 4), MOST_CALLS)
        queued[name] = (queue_of(call, shaped, times), times)
    modes = {"calls": queued}
    if clock.is_gpu:
        modes["graph"] = {name: (graph_of(work), times) for name, (work, times) in queued.items()}
    moved = 4 * (rows * length + rows)
    for mode, works in modes.items():
        samples = samples_of(clock, works, rounds)
        times = {name: interval_of(of_one) for name, of_one in samples.items()}
        cell[mode] = {**{name: {"time_us": us, "samples_us": samples[name], "gb_per_s": moved / us["median"] / 1e3}
                         for name, us in times.items()},
                      "gain": times["torch"]["median"] / times["redtune"]["median"]}
    return cell


def row_of(cell):
    row = f"{cell['rows']}x[{cell['length']}]"
    text = f"{row:<20}{cell['match']:<10}"
    for mode in ("calls", "graph"):
        if mode in cell:
            found = cell[mode]
            text += (f"{found['redtune']['time_us']['median']:11.2f}{found['torch']['time_us']['median']:11.2f}{found['gain']:7.2f}"
                     f"{found['redtune']['gb_per_s']:9.0f}")
    return text + ("" if cell["is_right"] else "  not what torch gives")


def mean_of(cells, mode):
    gains = [cell[mode]["gain"] for cell in cells if mode in cell]
    return math.exp(sum(map(math.log, gains)) / len(gains)) if gains else None


def parse(words):
    parser = argparse.ArgumentParser(description="Sums of rows from Python, beside torch's.")
    parser.add_argument("--totals", type=counts_of, default=[1 << 20, 1 << 24, 1 << 28], help="elements of all rows [2^20,2^24,2^28]")
    parser.add_argument("--lengths", type=counts_of, default=[4, 16, 64, 256, 1000, 4096, 65536], help="of rows")
    parser.add_argument("--rounds", type=int, default=7, help="samples of each [7]")
    parser.add_argument("--warm", action="store_true", help="one input, which may stay in the cache")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--json", help="write everything to this file, too")
    options = parser.parse_args(words)
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    if max(options.lengths) > min(options.totals):
        parser.error("--lengths: a row is more than all of them, --totals")
    return options


def run(options):
    began = time.perf_counter()
    machine = {"device": torch.cuda.get_device_name(0) if options.device == "cuda" else "cpu", "torch": torch.__version__}
    print(f"{machine['device']}, PyTorch {machine['torch']}, redtune {redtune.__version__}: us of a call, medians of {options.rounds} "
          f"rounds, input {'warm' if options.warm else 'cold'}")
    heads = "".join(f"{mode + ' us':>11}{'torch us':>11}{'gain':>7}{'GB/s':>9}"
                    for mode in (("calls", "graph") if options.device == "cuda" else ("calls",)))
    print(f"{'shape':<20}{'match':<10}{heads}", flush=True)
    clock, cells, means = Clock(options.device), [], {}
    for total in options.totals:
        inputs = inputs_of(total, options.device, copies_of(total, options.device, options.warm))
        of_total = []
        for length in options.lengths:
            of_total.append({"total": total, **measure(clock, inputs, length, options.rounds)})
            print(row_of(of_total[-1]), flush=True)
        means[total] = {mode: mean_of(of_total, mode) for mode in ("calls", "graph")}
        told = ", ".join(f"{mode} {mean:.2f}" for mode, mean in means[total].items() if mean is not None)
        print(f"{total} elements, torch's time over redtune's, geometric means: {told}; {time.perf_counter() - began:.0f} s so far",
              flush=True)
        cells += of_total
        del inputs
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "input": "warm" if options.warm else "cold", "rounds": options.rounds,
                       "means": {str(total): mean for total, mean in means.items()}, "cells": cells}, file)
    return 0 if all(cell["is_right"] for cell in cells) else 1


if __name__ == "__main__":
    sys.exit(run(parse(sys.argv[1:])))
