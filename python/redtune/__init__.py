# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Auto-tuned reductions for arrays of torch, CuPy and NumPy, on AMD GPUs, NVIDIA GPUs and the processor.

    import redtune, torch
    x = torch.randn(4096, 11008, device="cuda")
    y = redtune.sum(x, dim=1)
    row_sums = redtune.Reducer("sum", x.dtype, shape=x.shape, dim=1).prepare()
    row_sums(x, out=y)

There is a function for each operator, with torch's names and conventions: see redtune.OPERATORS. docs/reference/python.md
has all of them.
"""

from __future__ import annotations

import sys as _sys

from . import _library as _library  # before what needs it

from ._redtune import DeviceError, Error, IoError, UnmetMatch, UsageError
from ._libraries import library_named as _library_named
from ._built import VERSION as __version__
from ._functions import functions as _all_functions
from ._kernel import Kernel
from ._problems import OPERATORS, Answer, Interval, Operator
from ._program import Device, Report, Run, devices, report, tune, wanted
from ._reducer import Reducer, query
from ._segments import ByKeyReducer, Groups, Lengths, SegmentPlan, reduce_by_key, segment_reduce

if "torch" in _sys.modules:
    _library_named("torch")
_made = _all_functions()
globals().update(_made)

__all__ = ["Answer", "ByKeyReducer", "Device", "DeviceError", "Error", "Groups", "Interval", "IoError", "Kernel", "Lengths",
           "OPERATORS", "Operator", "Reducer", "Report", "Run", "SegmentPlan", "UnmetMatch", "UsageError", "devices", "query",
           "reduce_by_key", "report", "segment_reduce", "tune", "wanted", *_made]
