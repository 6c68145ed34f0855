#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""What a call from Python costs: the time until it returns, of redtune's beside torch's, of which nothing is waited for.

    PYTHONPATH=build/release/python python_calls.py [--device cuda|cpu] [--shape 1x1024] [--calls 20000]

`launch` is the C API's, called with what the others have looked up: what they take beyond it is Python's own. On a GPU the
queue must not fill, so calls come in batches with a wait between; the fewest microseconds of all batches are printed.
"""

import argparse
import time

import torch

import redtune
from redtune import _redtune

BATCH = 200


def cost_of(call, calls, wait):
    best = float("inf")
    for _ in range(max(1, calls // BATCH)):
        wait()
        begin = time.perf_counter()
        for _ in range(BATCH):
            call()
        best = min(best, time.perf_counter() - begin)
    return best / BATCH * 1e6


def calls_on(x):
    """Each by its name."""
    reducer = redtune.Reducer("sum", x.dtype, shape=x.shape, dim=-1, device=x.device).prepare()
    out = reducer(x)
    core, array = reducer._core, reducer._layout.array
    workspace = _redtune.workspace_create(core.handle)
    launch = _redtune.run if core.is_host else _redtune.launch
    addresses = (core.handle, workspace, array, x.data_ptr(), out.data_ptr(), 0)
    return {"launch": lambda: launch(*addresses), "Reducer, out=": lambda: reducer(x, out=out), "Reducer": lambda: reducer(x),
            "redtune.sum": lambda: redtune.sum(x, -1), "torch.sum, out=": lambda: torch.sum(x, -1, out=out),
            "torch.sum": lambda: torch.sum(x, -1)}


def main():
    options = argparse.ArgumentParser(description="What a call from Python costs.")
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--shape", default="1x1024", help="rows x columns, of which the columns are summed")
    options.add_argument("--calls", type=int, default=20000)
    given = options.parse_args()
    x = torch.ones([int(extent) for extent in given.shape.split("x")], device=given.device)
    wait = torch.cuda.synchronize if x.is_cuda else lambda: None
    print(f"{'call':<16} us   of {given.shape} f32 on {given.device}, torch {torch.__version__}")
    for name, call in calls_on(x).items():
        call()
        print(f"{name:<16} {cost_of(call, given.calls, wait):.2f}")


if __name__ == "__main__":
    main()
