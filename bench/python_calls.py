#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors
"""What a call from Python costs: the time until it returns, of redtune's beside torch's, of which nothing is waited for.

    PYTHONPATH=build/release/python python_calls.py [--device cuda|cpu] [--shape 1x1024] [--calls 20000] [--json FILE]

`launch` is the C API's, called with what the others have looked up: what they take beyond it is Python's own, of which the
parts are timed below. On a GPU the queue must not fill, so calls come in batches with a wait between; the fewest microseconds
of all batches are printed.
"""

import argparse
import contextlib
import json
import time

import torch

import redtune
from redtune import _libraries, _redtune, _torch_library

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
    stream = _libraries.library_named("torch").stream(core.device)
    given = (core.launcher, array, x.data_ptr(), out.data_ptr(), stream)
    return {"launch": lambda: _redtune.launch(*given), "Reducer, out=": lambda: reducer(x, out=out),
            "Reducer": lambda: reducer(x), "redtune.sum, out=": lambda: redtune.sum(x, -1, out=out),
            "redtune.sum": lambda: redtune.sum(x, -1), "torch.sum, out=": lambda: torch.sum(x, -1, out=out),
            "torch.sum": lambda: torch.sum(x, -1)}


def a_function(x, dim=None, keepdim=False, *, dtype=None, out=None, stream=None, order=None):
    return x


def parts_on(x):
    """Of calls, each called from Python as an empty function is."""
    library, out = _libraries.library_named("torch"), torch.sum(x, -1)
    shape, like, number = out.shape, library.like(out.shape, "float32", x), x.device.index or 0
    is_compiling = getattr(getattr(torch, "compiler", None), "is_dynamo_compiling", None)
    changed = getattr(torch._C, "_increment_version", None)
    parts = {"nothing": lambda: None, "a function": lambda: a_function(x, -1),
             "read a tensor": lambda: _redtune.read_tensor(x), "and its stream": lambda: _redtune.stream_of_tensor(x, number),
             "x.requires_grad": lambda: x.requires_grad, "x.is_neg()": lambda: x.is_neg(),
             "out.is_inference()": lambda: out.is_inference(), "torch.empty_like": lambda: torch.empty_like(like),
             "x.new_empty": lambda: x.new_empty(shape),
             "torch.empty": lambda: torch.empty(shape, dtype=x.dtype, device=x.device)}
    if is_compiling is not None:
        parts["is_dynamo_compiling"] = is_compiling
    if changed is not None:
        changes = (out,)
        with contextlib.suppress(TypeError, RuntimeError):  # before it took tuples
            changed(changes)
            parts["counts a change"] = lambda: changed(changes)
    if x.is_cuda:
        parts["is_capturing"] = lambda: library.is_capturing(library.device_name(x.device))
    return parts


def timed(calls, given, wait, found):
    for name, call in calls.items():
        for _ in range(2):
            call()
        found[name] = cost_of(call, given.calls, wait)
        print(f"{name:<24} {found[name]:7.3f}", flush=True)


def main():
    options = argparse.ArgumentParser(description="What a call from Python costs.")
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--shape", default="1x1024", help="rows x columns, of which the columns are summed")
    options.add_argument("--calls", type=int, default=20000)
    options.add_argument("--json", help="write everything to this file, too")
    given = options.parse_args()
    x = torch.ones([int(extent) for extent in given.shape.split("x")], device=given.device)
    wait = torch.cuda.synchronize if x.is_cuda else lambda: None
    in_c = _torch_library._exchange_of(torch) is not None
    print(f"{'call':<24} us      of {given.shape} f32 on {given.device}, torch {torch.__version__}, tensors read "
          f"{'by DLPack in C' if in_c else 'by attributes'}")
    found = {}
    timed(calls_on(x), given, wait, found)
    if x.is_cuda:
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            timed({"redtune.sum, a stream": lambda: redtune.sum(x, -1), "torch.sum, a stream": lambda: torch.sum(x, -1)},
                  given, wait, found)
    print("parts")
    timed(parts_on(x), given, wait, found)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"device": torch.cuda.get_device_name() if x.is_cuda else "cpu", "torch": torch.__version__,
                       "shape": given.shape, "read": "in C" if in_c else "by attributes", "us": found}, file, indent=1)


if __name__ == "__main__":
    main()
