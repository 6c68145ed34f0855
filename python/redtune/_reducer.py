# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Reductions: kernels that are loaded, plans for arrays, and what calls them."""

from __future__ import annotations

import functools
import math
import os
import threading
from collections import namedtuple
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from . import _arrays, _redtune
from ._arrays import HOST, View, library_of, require_aligned, stream_handle
from ._problems import OPERATORS, Answer, Axes, Layout, Types, answer_of, layout_of, types_for
from ._redtune import UsageError
from ._types import LONG, TYPES, type_name

#: What options of a look-up are called in Python, with what they are by default.
OPTIONS = {"cache_file": None, "minimum_match": None, "snapshot": None, "pinned": False, "strict": False}
_MOST_PLANS = 4096


def options_of(device: Optional[str], given: Dict[str, Any]) -> Tuple[Any, ...]:
    for name in given:
        if name not in OPTIONS:
            raise TypeError(f"there is no option '{name}'; there are {', '.join(OPTIONS)}")
    return (device, *(given.get(name, default) for name, default in OPTIONS.items()))


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

    def answer(self, array: Any) -> Answer:
        return answer_of(_redtune.reducer_answer(self.handle, array))


_BOOL = "bool"


@functools.lru_cache(maxsize=None)
def _tuple_type(op: str, fields: Tuple[str, ...]) -> Any:
    return namedtuple(op, fields)


def _given_type(library: Any, types: Types, out: str, is_bool: bool, op: str) -> str:
    """The type that a library has for results of redtune's type `out`, of as many bytes."""
    if op in ("all", "any") or (is_bool and out == "u8"):
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
                 view: View, op: str, fields: Tuple[str, ...]):
        _, out, result, size, _ = described
        is_bool = view.dtype == _BOOL
        self.device, self.element = view.device, types.element
        self.core, self.layout, self.library, self.result = core, layout, library, result
        self.mask = TYPES[types.element].bytes - 1
        if result == "members":
            self.dtype, self.shape = LONG["u8"], (*layout.stored, size)
        elif result == "value":
            self.dtype, self.shape = _given_type(library, types, out, is_bool, op), layout.stored
        else:
            value = _given_type(library, types, out, is_bool, op)
            self.dtype = value
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

    def into_new(self, x: Any, address: int, stream: int) -> Any:
        if self._lacks:
            raise TypeError(self._lacks)
        raw = self.library.empty(self.shape, self._stored_type(), x)
        if self.core is not None:
            self.core.launch(self.layout.array, address, self.library.address(raw), stream)
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
                               _arrays.number_of(self.device), (self.mask, self._bytes, self._out_mask, self._out_bytes))

    def wait_for(self, view: Optional[View], stream: int) -> None:
        """Until what made an array has, where its library names another stream and has no way to order both."""
        if view is None or not view.stream or view.stream == stream or self.core is None:
            return
        if self.library.is_capturing(self.device):
            raise UsageError("an array of another stream cannot be waited for while a graph is captured: make it on the "
                             "stream that is captured")
        _redtune.reducer_synchronize(self.core.handle, view.stream)

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
                self.core.launch(self.layout.array, address, place, stream)
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


def _fields_of(op: str, with_values: bool) -> Tuple[str, ...]:
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


def _new_plan(op: str, library: Any, view: View, dim: Axes, keepdim: bool, dtype: Any, order: Optional[str],
              with_values: bool) -> Plan:
    types = types_for(op, _arrays.type_of(view), dtype)
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
    return Plan(core, layout, library, types, described, view, op, _fields_of(op, with_values))


def reduce(op: str, x: Any, dim: Axes, keepdim: bool, dtype: Any, out: Any, stream: Any, order: Optional[str],
           with_values: bool = False, calls: Any = None) -> Any:
    """What every function does. calls: where this one is kept, for the next time."""
    library = library_of(x)
    looked, address, keeps = library.look(x) if stream is None else library.look_on(x, stream_handle(stream))
    if type(dim) is list:
        dim = tuple(dim)
    key = (op, library, looked, dim, keepdim, dtype, order, with_values)
    plan = shared.plans.get(key)
    if plan is None:
        plan = _new_plan(op, library, library.view(x), dim, keepdim, dtype, order, with_values)
        if len(shared.plans) >= _MOST_PLANS:
            shared.plans.clear()
        shared.plans[key] = plan
    result = _called(plan, x, address, out, stream, keeps)
    if calls is not None and library.has_gradients:
        plan.keep(calls, x, dim, keepdim, dtype, order)
    return result


def _called(plan: Plan, x: Any, address: int, out: Any, stream: Any, keeps: Any) -> Any:
    """keeps: lives until the call has ended."""
    if address & plan.mask:
        require_aligned(address, plan.element)
    if stream is not None or keeps is not None:
        handle = plan.library.stream(plan.device) if stream is None else stream_handle(stream)
        with plan.library.within(handle, plan.device):
            plan.wait_for(keeps, handle)
            return plan.into_new(x, address, handle) if out is None else plan.into(out, x, address, handle)
    handle = plan.library.stream(plan.device)
    if out is None:
        return plan.into_new(x, address, handle)
    return plan.into(out, x, address, handle)


def _device_text(device: Any) -> Optional[str]:
    """As redtune names it: of a device of torch, "cpu" and "cuda:1" of a build for HIP."""
    if device is None or (isinstance(device, str) and device.partition(":")[0] in ("auto", "host", "hip")):
        return device
    kind, _, number = str(device).partition(":")
    if kind == "cpu":
        return HOST
    torch: Any = _arrays._libraries.get("torch")
    platform = torch.platform if torch is not None and kind == "cuda" else kind
    return f"{platform}:{number or 0}"


def _usual_device(dtype: Any) -> Optional[str]:
    """Of arrays with elements of that type: torch's are on its GPU, where it has one; NumPy's on the host."""
    root = type(dtype).__module__.partition(".")[0]
    if root == "torch":
        torch = _arrays.library_named("torch")
        if torch.torch.cuda.is_available():
            return f"{torch.platform}:{torch.torch.cuda.current_device()}"
        return HOST
    return HOST if root == "numpy" or getattr(dtype, "__module__", "") == "numpy" else None


class Reducer:
    """A reduction that is resolved once, for calls that cost little.

    op: an operator, "sum"; dtype: of the elements, of any library or redtune's name; shape: of the arrays that it is
    mostly called with, or a number of elements; dim, keepdim: as of functions. acc_dtype: as dtype= of functions.
    device: "host", "cuda:0", a device of torch; without it torch's current GPU for types of torch, the host for those
    of NumPy, else the first GPU. op_source: the text of an operator of your own. Other options are those of a look-up:
    cache_file, minimum_match, snapshot, pinned, strict.

    >>> import numpy
    >>> row_sums = redtune.Reducer("sum", numpy.float32, shape=(4, 1000), dim=1).prepare()
    >>> row_sums(numpy.ones((4, 1000), numpy.float32))
    array([1000., 1000., 1000., 1000.], dtype=float32)
    >>> row_sums.answer.match
    'default'

    May be called by several threads at a time. What it is captured into a graph with shares memory: such graphs are
    replayed one after the other, or have Reducers of their own.
    """

    def __init__(self, op: str, dtype: Any, shape: Union[int, Sequence[int]] = 2**24, dim: Axes = None, *,
                 keepdim: bool = False, acc_dtype: Any = None, order: Optional[str] = None, device: Any = None,
                 cache_mode: Optional[str] = None, op_source: Optional[str] = None, **options: Any):
        self.op, self.dim, self.keepdim = op, dim, keepdim
        self.dtype = type_name(dtype)
        self._types = types_for(op, self.dtype, acc_dtype, op_source)
        self._is_own = op_source is not None
        self._is_indexed = op_source is None and op in OPERATORS and OPERATORS[op].shape == "indexed"
        self._layout = layout_of((shape,) if isinstance(shape, int) else tuple(shape), None, dim, keepdim,
                                 self._is_indexed)
        if not self._layout.has_results:
            raise UsageError("a Reducer is made for arrays that have results")
        self._problem = problem_of(op, self._types, self._layout, order, cache_mode, op_source)
        self._described = _redtune.describe_result(self._problem)
        asked = _device_text(device) if device is not None else _usual_device(dtype)
        self._options = options_of(asked, options)
        self._lock, self._lock_of = threading.Lock(), shared
        self._core: Optional[Core] = None
        self._of: Optional[Shared] = None
        self._plans: Dict[Any, Plan] = {}
        self._calls = _redtune.calls_create()

    def prepare(self) -> "Reducer":
        """Loads kernels, or compiles them; else the first call does. Afterwards calls may be captured into graphs."""
        if self._core is not None and self._of is shared:
            return self
        if self._lock_of is not shared:  # after a fork: whoever held the lock is not here
            self._lock, self._lock_of = threading.Lock(), shared
        with self._lock:
            if self._core is None or self._of is not shared:
                self._plans = {}
                self._core = Core(self._problem, self._options)
                self._of = shared
        return self

    def _new_plan(self, library: Any, view: View) -> Plan:
        if _arrays.type_of(view) != self.dtype:
            raise TypeError(f"this Reducer is for {LONG[self.dtype]}, and the array is of {view.dtype}")
        if self._core is None and library.is_capturing(view.device):
            raise UsageError("nothing is compiled while a graph is captured: prepare() the Reducer before")
        core = self.prepare()._core
        if core is not None and view.device != core.device:
            raise UsageError(f"this Reducer is on {core.device}, and the array on {view.device}: make one with "
                             f"device='{view.device}'")
        layout = layout_of(view.shape, view.strides, self.dim, self.keepdim, self._is_indexed)
        return Plan(core if layout.has_results else None, layout, library, self._types, self._described, view, self.op,
                    _fields_of(self.op, False))

    def __call__(self, x: Any, out: Any = None, stream: Any = None) -> Any:
        """Reduces x, on its library's current stream where no other is given, to a new array, or to out."""
        if stream is None:
            result = _redtune.call(self._calls, x, out)
            if result is not None:
                return result
        library = library_of(x)
        if library.has_gradients and x.requires_grad and library.tracks_gradients():
            from . import _torch
            return _torch.call_with_gradient(self, x, out, stream)
        return self._call(library, x, out, stream)

    def _call(self, library: Any, x: Any, out: Any, stream: Any) -> Any:
        looked, address, keeps = library.look(x) if stream is None else library.look_on(x, stream_handle(stream))
        if self._of is not shared:
            self._plans = {}
        key = (library, looked)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._new_plan(library, library.view(x))
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            self._plans[key] = plan
        result = _called(plan, x, address, out, stream, keeps)
        if library.has_gradients and stream is None:
            plan.keep(self._calls, x, None, False, None, None)
        return result

    @property
    def device(self) -> str:
        """Of this machine: "host", "cuda:0"."""
        return self.prepare()._core.device  # type: ignore[union-attr]

    @property
    def answer(self) -> Answer:
        """The configuration for the shape that it was made for, and how it was found."""
        return self.prepare()._core.answer(self._layout.array)  # type: ignore[union-attr]

    def hits(self, match: str) -> int:
        """Calls so far whose configuration was found with this match: "exact", "default"."""
        return _redtune.reducer_hits(self.prepare()._core.handle, match)  # type: ignore[union-attr]

    def synchronize(self, stream: Any = 0) -> None:
        """Waits for a stream, without Python's lock. Raises DeviceError for faults of earlier calls."""
        _redtune.reducer_synchronize(self.prepare()._core.handle, stream_handle(stream))  # type: ignore[union-attr]

    def __repr__(self) -> str:
        return f"redtune.Reducer({self.op!r}, {self.dtype!r}, dim={self.dim!r}, keepdim={self.keepdim!r})"


def query(op: str, dtype: Any, shape: Union[int, Sequence[int]] = 2**24, dim: Axes = None, *, acc_dtype: Any = None,
          order: Optional[str] = None, device: Any = None, cache_mode: Optional[str] = None,
          op_source: Optional[str] = None, **options: Any) -> Answer:
    """The best known configuration: nothing is compiled, nothing runs.

    >>> answer = redtune.query("sum", "f32", 2**24, device="host")
    >>> answer.match, answer.settings["block_size"]
    ('default', '256')
    """
    types = types_for(op, type_name(dtype), acc_dtype, op_source)
    layout = layout_of((shape,) if isinstance(shape, int) else tuple(shape), None, dim, False, False)
    if not layout.has_results:
        raise UsageError("an array without results is no problem: give a shape that has some")
    asked = _device_text(device) if device is not None else _usual_device(dtype)
    problem = problem_of(op, types, layout, order, cache_mode, op_source)
    return answer_of(_redtune.find_best(problem, options_of(asked, options)))
