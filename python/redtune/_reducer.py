# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""What calls plans: functions, Reducers, and the look-up alone."""

from __future__ import annotations

import operator
import threading
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _libraries, _plan, _redtune
from ._arrays import HOST, View, require_aligned, stream_handle, type_of
from ._libraries import library_of
from ._plan import MOST_PLANS, Core, Plan, Shared, fields_of, options_of, problem_of
from ._problems import OPERATORS, Answer, Axes, answer_of, plain_axes, layout_of, of_truth, types_for
from ._redtune import UsageError
from ._types import LONG, type_name


def reduce(op: str, x: Any, dim: Axes, keepdim: bool, dtype: Any, out: Any, stream: Any, order: Optional[str],
           with_values: bool = False, calls: Any = None) -> Any:
    """What every function does. calls: where this one is kept, for the next time."""
    library = library_of(x)
    looked, address, keeps = library.look(x) if stream is None else library.look_on(x, stream_handle(stream))
    if dim is not None and type(dim) is not int:
        dim = plain_axes(dim)
    key = (op, library, looked, dim, keepdim, dtype, order, with_values)
    plan = _plan.shared.plans.get(key)
    if plan is None:
        plan = _plan.new_plan(op, library, library.view(x), dim, keepdim, dtype, order, with_values)
        if len(_plan.shared.plans) >= MOST_PLANS:
            _plan.shared.plans.clear()
        _plan.shared.plans[key] = plan
    result = called(plan, x, address, out, stream, keeps)
    if calls is not None and library.has_gradients:
        plan.keep(calls, x, dim, keepdim, dtype, order)
    return result


def called(plan: Plan, x: Any, address: int, out: Any, stream: Any, keeps: Any) -> Any:
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
    torch: Any = _libraries._libraries.get("torch")
    platform = torch.platform if torch is not None and kind == "cuda" else kind
    return f"{platform}:{number or 0}"


def _usual_device(dtype: Any) -> Optional[str]:
    """Of arrays with elements of that type: torch's are on its GPU, where it has one; NumPy's on the host."""
    root = type(dtype).__module__.partition(".")[0]
    if root == "torch":
        torch = _libraries.library_named("torch")
        if torch.torch.cuda.is_available():
            return f"{torch.platform}:{torch.torch.cuda.current_device()}"
        return HOST
    return HOST if root == "numpy" or getattr(dtype, "__module__", "") == "numpy" else None


def _extents_of(shape: Any) -> Tuple[int, ...]:
    """Of extents, or of a number of elements."""
    return (operator.index(shape),) if hasattr(shape, "__index__") else tuple(shape)


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
        op, acc_dtype = of_truth(op, acc_dtype)
        self.op, self.dim, self.keepdim = op, plain_axes(dim), keepdim
        self.dtype = type_name(dtype)
        self._types = types_for(op, self.dtype, acc_dtype, op_source)
        self._is_own = op_source is not None
        self._is_indexed = op_source is None and op in OPERATORS and OPERATORS[op].shape == "indexed"
        self._acc_dtype = acc_dtype
        self._layout = layout_of(_extents_of(shape), None, self.dim, keepdim,
                                 self._is_indexed)
        if not self._layout.has_results:
            raise UsageError("a Reducer is made for arrays that have results")
        self._problem = problem_of(op, self._types, self._layout, order, cache_mode, op_source)
        self._described = _redtune.describe_result(self._problem)
        asked = _device_text(device) if device is not None else _usual_device(dtype)
        self._options = options_of(asked, options)
        self._lock, self._lock_of = threading.Lock(), _plan.shared
        self._core: Optional[Core] = None
        self._of: Optional[Shared] = None
        self._plans: Dict[Any, Plan] = {}
        self._calls = _redtune.calls_create()

    def prepare(self) -> "Reducer":
        """Loads kernels, or compiles them; else the first call does. Afterwards calls may be captured into graphs."""
        if self._core is not None and self._of is _plan.shared:
            return self
        if self._lock_of is not _plan.shared:  # after a fork: whoever held the lock is not here
            self._lock, self._lock_of = threading.Lock(), _plan.shared
        with self._lock:
            if self._core is None or self._of is not _plan.shared:
                self._plans = {}
                self._core = Core(self._problem, self._options)
                self._of = _plan.shared
        return self

    def _new_plan(self, library: Any, view: View) -> Plan:
        if type_of(view) != self.dtype:
            raise TypeError(f"this Reducer is for {LONG[self.dtype]}, and the array is of {view.dtype}")
        if self._core is None and library.is_capturing(view.device):
            raise UsageError("nothing is compiled while a graph is captured: prepare() the Reducer before")
        core = self.prepare()._core
        if core is not None and view.device != core.device:
            raise UsageError(f"this Reducer is on {core.device}, and the array on {view.device}: make one with "
                             f"device='{view.device}'")
        layout = layout_of(view.shape, view.strides, self.dim, self.keepdim, self._is_indexed)
        return Plan(core if layout.has_results else None, layout, library, self._types, self._described, view, self.op,
                    fields_of(self.op, False), self._acc_dtype)

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
        if self._of is not _plan.shared:
            self._plans = {}
        key = (library, looked)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._new_plan(library, library.view(x))
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            self._plans[key] = plan
        result = called(plan, x, address, out, stream, keeps)
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
    op, acc_dtype = of_truth(op, acc_dtype)
    types = types_for(op, type_name(dtype), acc_dtype, op_source)
    layout = layout_of(_extents_of(shape), None, dim, False, False)
    if not layout.has_results:
        raise UsageError("an array without results is no problem: give a shape that has some")
    asked = _device_text(device) if device is not None else _usual_device(dtype)
    problem = problem_of(op, types, layout, order, cache_mode, op_source)
    return answer_of(_redtune.find_best(problem, options_of(asked, options)))
