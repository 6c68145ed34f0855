# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Kernels that are loaded, and plans: reductions of arrays of one shape, with all that a call looks up once."""

from __future__ import annotations

import functools
import math
import os
import threading
from collections import namedtuple
from typing import Any, Dict, List, Optional, Set, Tuple

from . import _redtune
from ._arrays import HOST, View, number_of, require_aligned, type_of
from ._libraries import library_of
from ._problems import OPERATORS, Answer, Axes, Layout, Types, answer_of, layout_of, of_truth, types_for
from ._redtune import UsageError
from ._types import LONG, TYPES

#: What options of a look-up are called in Python, with what they are by default.
OPTIONS = {"cache_file": None, "minimum_match": None, "snapshot": None, "pinned": False, "strict": False}
MOST_PLANS = 4096


def options_of(device: Optional[str], given: Dict[str, Any]) -> Tuple[Any, ...]:
    for name in given:
        if name not in OPTIONS:
            raise TypeError(f"there is no option '{name}'; there are {', '.join(OPTIONS)}")
    return (device, *(given.get(name, default) for name, default in OPTIONS.items()))


def wait_for_maker(kernels: Any, view: Optional[View], stream: int, library: Any) -> None:
    """Until what made an array has, where its library names another stream and has no way to order both."""
    if view is None or not view.stream or view.stream == stream:
        return
    if library.is_capturing(kernels.device):
        raise UsageError("an array of another stream cannot be waited for while a graph is captured: make it on the "
                         "stream that is captured")
    kernels.synchronize(view.stream)


class Core:
    """Kernels of one kind of array on one device, with the memory that launches need. For all threads."""

    def __init__(self, problem: Tuple[Any, ...], options: Tuple[Any, ...]):
        self._problem, self._options = problem, options
        self._make()

    def _make(self) -> None:
        self.handle = _redtune.reducer_create(self._problem, self._options)
        self.device: str = _redtune.reducer_device(self.handle)
        self.is_host = self.device.partition(":")[0] == HOST
        self.launcher = _redtune.launcher_create(self.handle, self.is_host)

    def launch(self, array: Any, address: int, out: int, stream: int) -> None:
        _redtune.launch(self.launcher, array, address, out, stream)

    def synchronize(self, stream: int) -> None:
        _redtune.reducer_synchronize(self.handle, stream)

    def wait_for(self, view: Optional[View], stream: int, library: Any) -> None:
        wait_for_maker(self, view, stream, library)

    def answer(self, array: Any) -> Answer:
        return answer_of(_redtune.reducer_answer(self.handle, array))


_BOOL = "bool"


@functools.lru_cache(maxsize=None)
def _tuple_type(op: str, fields: Tuple[str, ...]) -> Any:
    return namedtuple(op, fields)


def given_type(library: Any, types: Types, out: str, is_bool: bool, op: str, dtype: Any = None) -> str:
    """The type that a library has for results of redtune's type `out`, of as many bytes: where dtype is asked for, that."""
    if op in ("all", "any"):
        return _BOOL
    if dtype is not None:
        return LONG[out]
    if is_bool and out == "u8":
        return _BOOL
    if is_bool and out == "u64":
        return LONG["i64"]
    if library.name == "torch" and out[0] == "u" and out != types.element:
        return LONG["i" + out[1:]]  # as torch sums, and takes magnitudes
    return LONG[out]


class Plan:
    """A reduction of arrays of one shape: all that a call looks up once."""

    __slots__ = ("core", "layout", "library", "dtype", "shape", "mask", "result", "device", "element", "_tuple", "_fields",
                 "_lacks", "_plain", "_like", "_outs", "_bytes", "_out_bytes", "_out_mask", "_out_type")

    def __init__(self, core: Optional[Core], layout: Layout, library: Any, types: Types, described: Tuple[Any, ...],
                 view: View, op: str, fields: Tuple[str, ...], dtype: Any = None):
        _, out, result, size, _ = described
        is_bool = view.dtype == _BOOL
        self.device, self.element = view.device, types.element
        self.core, self.layout, self.library, self.result = core, layout, library, result
        self.mask = TYPES[types.element].bytes - 1
        if result == "members":
            self.dtype, self.shape = LONG["u8"], (*layout.stored, size)
        elif result == "value":
            self.dtype, self.shape = given_type(library, types, out, is_bool, op, dtype), layout.stored
        else:
            self.dtype = given_type(library, types, out, is_bool, op, dtype)
            self.shape = (*layout.stored, 2)
        self._tuple = _tuple_type(op, fields) if len(fields) > 1 else None
        self._fields = fields
        self._plain = result == "value" and layout.order is None
        self._like: Any = None
        self._outs: Dict[Any, bool] = {}  # what was looked at and fits
        self._bytes = _bytes_from_first_to_last(view, TYPES[types.element].bytes)
        self._out_type = out
        out_size = TYPES[out].bytes if result == "value" else 1
        self._out_bytes, self._out_mask = math.prod(layout.stored) * out_size, out_size - 1
        self._lacks = "" if library.has_type(self.dtype) else (
            f"{library.name} has no type {self.dtype}, which {op} of {LONG[types.element]} gives: ask for another by "
            "dtype=, or give out=")

    def _stored_type(self) -> str:
        return LONG["i64"] if self.result == "indexed" else self.dtype

    def _parts(self, raw: Any) -> List[Any]:
        library, order = self.library, self.layout.order
        if self.result == "indexed":
            parts = [library.reinterpreted(raw, self.dtype)[..., 0], raw[..., 1]]
        elif self.result == "pair":
            parts = [raw[..., 0], raw[..., 1]]
        else:
            parts = [raw]
        if order is not None:
            parts = [library.permuted(part, order) for part in parts]
        return parts

    def _named(self, parts: List[Any]) -> Any:
        if self.result != "indexed":
            return parts[0] if self._tuple is None else self._tuple(*parts)
        return parts[1] if self._tuple is None else self._tuple(*parts)

    def launch(self, address: int, out: int, stream: int) -> None:
        self.core.launch(self.layout.array, address, out, stream)  # type: ignore[union-attr]

    def into_new(self, x: Any, address: int, stream: int) -> Any:
        if self._lacks:
            raise TypeError(self._lacks)
        raw = self.library.empty(self.shape, self._stored_type(), x)
        if self.core is not None:
            self.launch(address, self.library.address(raw), stream)
        if self._plain:
            return raw
        return self._named(self._parts(raw))

    def keep(self, calls: Any, x: Any, *arguments: Any) -> None:
        """From now on such calls are done by the extension module, where that knows the array's library."""
        if self.core is None or not self._plain or self._lacks:
            return
        if self._like is None:
            self._like = self.library.like(self.shape, self.dtype, x)
        if self._like is not None:
            _redtune.keep_call(calls, x, *arguments, self.core.launcher, self.layout.array, self._like,
                               number_of(self.device), (self.mask, self._bytes, self._out_mask, self._out_bytes))

    def wait_for(self, view: Optional[View], stream: int) -> None:
        if self.core is not None:
            self.core.wait_for(view, stream, self.library)

    def into(self, out: Any, x: Any, address: int, stream: int) -> Any:
        """A value goes to where it belongs; of several, and of indices, the library copies the results."""
        if self.result == "value":
            library = self.library if type(out) is type(x) else library_of(out)
            if library.has_gradients:
                _refuse_gradient(library, out)
            key, place, keeps = library.look_on(out, stream)
            if key not in self._outs:
                given = library.view(out)
                self._require(out, given, self.dtype)
                self._require_place(given)
                self._outs = {key: True}
            if place & self._out_mask:
                require_aligned(place, self._out_type, "out")
            if place < address + self._bytes and address < place + self._out_bytes:
                raise UsageError("out lies where the array lies that is reduced: give an array of its own, or leave out= out")
            if self.core is not None:
                if keeps is not None:
                    self.wait_for(keeps, stream)
                self.launch(address, place, stream)
            del keeps
            if library.has_gradients:
                library.wrote(out)
            return out
        places = list(out) if self._tuple is not None else [out]
        types = [self.dtype, LONG["i64"]] if self.result == "indexed" else [self.dtype] * 2
        types = types[-len(self._fields):]
        if len(places) != len(self._fields):
            raise UsageError(f"out has {len(places)} arrays; {', '.join(self._fields)} are {len(self._fields)}")
        results = self.library.of_results(self.device)
        for place, dtype in zip(places, types):
            library = library_of(place)
            if results is not None and library is not results:  # None: into_new() says why
                raise UsageError(f"out is of {library.name}, and {' and '.join(self._fields)} are copied there by "
                                 f"{results.name}: give arrays of {results.name}")
            if library.has_gradients:
                _refuse_gradient(library, place)
            self._require(place, library.view(place), dtype)
        parts = self.into_new(x, address, stream)
        values = list(parts) if self._tuple is not None else [parts]
        for place, value in zip(places, values):
            self.library.fill_in(place, value)
        return out

    def _require(self, out: Any, given: View, dtype: str) -> None:
        if given.dtype != dtype:
            raise TypeError(f"out is of {given.dtype}, and the result of {dtype}")
        if tuple(given.shape) != self.layout.shape:
            raise UsageError(f"out is of shape {tuple(given.shape)}, and the result of {self.layout.shape}")
        if given.device != self.device:
            raise UsageError(f"out is on {given.device}, and the array on {self.device}")
        if given.is_read_only:
            raise UsageError("out is only to be read")
        if given.is_copied:
            raise UsageError("out would be a copy, which its library made for DLPack: give an array that can be written "
                             "where it lies")

    def _require_place(self, given: View) -> None:
        """Results lie one behind the other, in the order of memory of the kept axes."""
        if given.strides is None:
            strides: List[int] = []
            step = 1
            for extent in reversed(given.shape):
                strides.insert(0, step)
                step *= max(extent, 1)
        else:
            strides = list(given.strides)
        order = self.layout.order or tuple(range(len(self.layout.shape)))
        stored: Dict[int, int] = {place: axis for axis, place in enumerate(order)}
        step = 1
        for place in reversed(range(len(order))):
            axis = stored[place]
            if given.shape[axis] > 1 and strides[axis] != step:
                raise UsageError("the results lie one behind the other, in the order in which x lies in memory, and those "
                                 "of out do not: leave out= out, or give one that does")
            step *= max(given.shape[axis], 1)


def _bytes_from_first_to_last(view: View, size: int) -> int:
    if 0 in view.shape:
        return 0
    if view.strides is None:
        return math.prod(view.shape) * size
    return (1 + sum((extent - 1) * stride for extent, stride in zip(view.shape, view.strides))) * size


def _refuse_gradient(library: Any, out: Any) -> None:
    if out.requires_grad and library.tracks_gradients():
        raise UsageError("out requires a gradient, and what is written there has none: give out.detach(), or call it "
                         "within torch.no_grad()")


def fields_of(op: str, with_values: bool) -> Tuple[str, ...]:
    row = OPERATORS.get(op)
    if row is None:
        return ("value",)
    if row.shape == "indexed":
        return ("values", "indices") if with_values else ("indices",)
    return row.values


class Shared:
    """What functions have in common: cores and plans of this process."""

    def __init__(self) -> None:
        self.cores: Dict[Any, Core] = {}
        self.plans: Dict[Any, Plan] = {}
        self.lock = threading.Lock()
        self.making: Dict[Any, threading.Lock] = {}
        self.asked: Set[Any] = set()
        self.by_keys: Dict[Any, Any] = {}
        self.by_key_lock = threading.Lock()

    def core(self, key: Any, problem: Tuple[Any, ...], library: Any) -> Core:
        core = self.cores.get(key)
        if core is not None:
            return core
        device = key[-1]
        if library.is_capturing(device):
            raise UsageError("nothing is compiled while a graph is captured: call it once before, or prepare() a Reducer")
        with self.lock:
            making = self.making.setdefault(key, threading.Lock())
        with making:
            core = self.cores.get(key)
            if core is None:
                core = self.cores[key] = Core(problem, options_of(device, {}))
        return core


    def want(self, key: Any, core: Core, problem: Tuple[Any, ...], layout: Layout) -> None:
        """Asks for a shape of another magnitude than those before, so that it is among what was wanted. That for which the
        core was made is already."""
        magnitude = (key, tuple(extent.bit_length() for extent in layout.extents))
        if magnitude in self.asked:
            return
        self.asked.add(magnitude)
        if problem is not core._problem:
            _redtune.find_best(problem, core._options)


shared = Shared()


def _begin_again() -> None:
    """In the child of a fork: threads and devices of the library are the parent's."""
    global shared
    _redtune.forked()
    shared = Shared()


os.register_at_fork(after_in_child=_begin_again)


def problem_of(op: str, types: Types, layout: Layout, order: Optional[str] = None, cache_mode: Optional[str] = None,
               op_source: Optional[str] = None) -> Tuple[Any, ...]:
    return (op, types.element, types.acc, types.out, cache_mode, order, op_source, layout.array)


def new_plan(op: str, library: Any, view: View, dim: Axes, keepdim: bool, dtype: Any, order: Optional[str],
              with_values: bool) -> Plan:
    op, dtype = of_truth(op, dtype)
    types = types_for(op, type_of(view), dtype)
    row = OPERATORS[op]
    layout = layout_of(view.shape, view.strides, dim, keepdim, row.shape == "indexed")
    some = layout if layout.has_results else layout_of((1,), None, None, False, False)
    problem = problem_of(op, types, some, order)
    described = _redtune.describe_result(problem)
    core = None
    if layout.has_results:
        key = (op, types, order, layout.kind, view.device)
        core = shared.core(key, problem, library)
        shared.want(key, core, problem, layout)
    return Plan(core, layout, library, types, described, view, op, fields_of(op, with_values), dtype)
