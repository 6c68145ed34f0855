# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Segments of an array between offsets, plans of them, and groups of equal neighbouring keys."""

from __future__ import annotations

import threading
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _plan, _redtune, _reducer
from ._arrays import HOST, View, require_aligned, stream_handle, type_of
from ._libraries import library_of
from ._plan import Core, Plan, fields_of, options_of, problem_of, wait_for_maker
from ._problems import ALIASES, OPERATORS, Answer, Layout, Types, answer_of, of_truth, types_for, with_values_name
from ._redtune import UsageError
from ._types import LONG, TYPES, type_name

_OFFSET_BITS = {"i32": 32, "i64": 64}


class Lengths(NamedTuple):
    """How long segments are."""
    elements: int  #: of all of them together
    longest: int
    skew: str  #: "uniform", "zipf" or "giant": what comes nearest to how they are spread


class Groups(NamedTuple):
    """Of equal neighbouring keys."""
    keys: Any  #: of each group
    values: Any  #: what each was reduced to
    count: Any  #: how many there are


class _Offsets(NamedTuple):
    given: Tuple[int, int, int, int]  # begins, ends, how many, bits
    device: str
    views: Tuple[Any, ...]  # None where an array is there as long as its object
    arrays: Tuple[Any, ...]

    @property
    def count(self) -> int:
        return self.given[2]


def _operator(name: str) -> Tuple[str, bool]:
    """Of a function's name: the operator, and whether values go with indices."""
    name = ALIASES.get(name, name)
    if name in OPERATORS:
        return name, False
    for row in OPERATORS.values():
        if row.shape == "indexed" and with_values_name(row.name) == name:
            return row.name, True
    raise UsageError(f"there is no operator '{name}'; there are {', '.join(OPERATORS)}")


def _list_of(array: Any, what: str, stream: Any) -> Tuple[View, Any]:
    """An array with one axis, one element behind the other, and its view where that keeps it there."""
    library = library_of(array)
    _, address, keeps = library.look(array) if stream is None else library.look_on(array, stream_handle(stream))
    view = library.view(array) if keeps is None else keeps
    if len(view.shape) != 1 or (view.strides is not None and view.shape[0] > 1 and view.strides[0] != 1):
        raise UsageError(f"{what} lies in one axis, one element behind the other; this one is of shape {tuple(view.shape)}"
                         + ("" if len(view.shape) != 1 else ", with gaps") + ": copy it first")
    return view._replace(address=address), keeps


def _offsets_of(offsets: Any, ends: Any, stream: Any) -> _Offsets:
    begins, kept = _list_of(offsets, "offsets", stream)
    bits = _OFFSET_BITS.get(type_of(begins))
    if bits is None:
        raise TypeError(f"offsets are of int32 or int64, and these of {begins.dtype}")
    require_aligned(begins.address, type_of(begins), "offsets")
    if ends is None:
        if begins.shape[0] == 0:
            raise UsageError("offsets have one more than there are segments, so at least one: where the last one ends")
        return _Offsets((begins.address, 0, begins.shape[0] - 1, bits), begins.device, (kept,), (offsets,))
    behind, kept_ends = _list_of(ends, "ends", stream)
    if (behind.dtype, behind.shape, behind.device) != (begins.dtype, begins.shape, begins.device):
        raise UsageError(f"ends are {behind.shape[0]} of {behind.dtype} on {behind.device}, and offsets {begins.shape[0]} of "
                         f"{begins.dtype} on {begins.device}: with ends= there are as many of both")
    require_aligned(behind.address, type_of(behind), "ends")
    return _Offsets((begins.address, behind.address, begins.shape[0], bits), begins.device, (kept, kept_ends), (offsets, ends))


def _refuse_gradient(library: Any, x: Any) -> None:
    if library.has_gradients and x.requires_grad and library.tracks_gradients():
        raise UsageError("segments and groups have no gradient in redtune: give x.detach(), or call it within torch.no_grad()")


class _ListPlan(Plan):
    """A reduction of an array to as many results as are asked for, by a launch that the call knows."""
    __slots__ = ("_by",)

    def __init__(self, core: Any, results: int, library: Any, op: str, types: Types, view: View, problem: Tuple[Any, ...],
                 with_values: bool, dtype: Any, by: Any):
        layout = Layout(None, (), (results,), (results,), None, results > 0)
        super().__init__(core if results > 0 else None, layout, library, types, _redtune.describe_result(problem), view, op,
                         fields_of(op, with_values), dtype)
        self._by = by

    def launch(self, address: int, out: int, stream: int) -> None:
        self._by(address, out, stream)


def _problem(op: str, types: Types, elements: int, segments: int, bits: int, order: Optional[str] = None,
             cache_mode: Optional[str] = None, op_source: Optional[str] = None, skew: Optional[str] = None) -> Tuple[Any, ...]:
    array = _redtune.segmented_array(elements, segments, bits, skew)
    return problem_of(op, types, Layout(array, (), (), (), None, True), order, cache_mode, op_source)


def _look_at(core: Core, elements: int, offsets: _Offsets, library: Any, stream: int) -> None:
    """At each offset, on the host."""
    if library.is_capturing(core.device):
        raise UsageError("offsets cannot be looked at while a graph is captured: give unsafe=True where they are known to be right")
    if not core.is_host:
        _redtune.reducer_synchronize(core.handle, stream)
    _redtune.check_offsets(core.handle, elements, offsets.given)


def segment_reduce(x: Any, reduce: str = "sum", *, offsets: Any = None, ends: Any = None, lengths: Any = None, dtype: Any = None,
                   out: Any = None, stream: Any = None, order: Optional[str] = None, unsafe: bool = False) -> Any:
    """Reduces each segment of an array with one axis: as torch.segment_reduce, for every operator.

    offsets: where segments begin, and, in one more, where the last one ends; int32 or int64, on x's device. With ends= they
    need not lie one behind the other. Or lengths: of segments one behind the other. reduce: a function's name; dtype, out,
    stream, order: as of functions. unsafe: offsets are not looked at; what becomes of those that are out of order or beyond
    the array is not defined, but nothing is waited for.

    >>> import numpy
    >>> redtune.segment_reduce(numpy.arange(6.0), "sum", offsets=numpy.array([0, 2, 2, 6]))
    array([ 1.,  0., 14.])
    >>> redtune.segment_reduce(numpy.arange(6.0), "max", lengths=numpy.array([5, 1]))
    array([4., 5.])
    """
    op, with_values = _operator(reduce)
    op, dtype = of_truth(op, dtype)
    library = library_of(x)
    _refuse_gradient(library, x)
    view, keeps = _list_of(x, "what has segments", stream)
    if (offsets is None) == (lengths is None):
        raise UsageError("segments are told by offsets=, or by lengths=")
    handle = library.stream(view.device) if stream is None else stream_handle(stream)
    if lengths is not None:
        with library.within(handle, view.device):
            offsets = library_of(lengths).offsets_of(lengths)
    segments = _offsets_of(offsets, ends, stream)
    if segments.device != view.device:
        raise UsageError(f"offsets are on {segments.device}, and the array on {view.device}")
    elements, bits = view.shape[0], segments.given[3]
    types = types_for(op, type_of(view), dtype)
    problem = _problem(op, types, elements, max(segments.count, 1), bits, order)
    core: Any = None
    if segments.count > 0:
        core = _plan.shared.core((op, types, order, ("segments", bits), view.device), problem, library)
        for kept in segments.views:
            core.wait_for(kept, handle, library)
        if not unsafe:
            _look_at(core, elements, segments, library, handle)

    def launch(address: int, place: int, on: int) -> None:
        _redtune.launch_segments(core.launcher, address, elements, segments.given, place, on)

    plan = _ListPlan(core, segments.count, library, op, types, view, problem, with_values, dtype, launch)
    return _reducer.called(plan, x, view.address, out, stream, keeps)


class SegmentPlan:
    """Segments between the same offsets, many times: what of them is needed is found once.

    op, dtype, acc_dtype, order, cache_mode, op_source and other options: as of a Reducer; offsets, ends: as of
    segment_reduce(); they must stay as they were; elements: of the arrays. way: "as_found", "shares" or "bins"; measured:
    waits until lengths are measured, and chooses by them; unsafe: offsets are not looked at. It is on the device of the offsets.

    >>> import numpy
    >>> plan = redtune.SegmentPlan("sum", "f32", numpy.array([0, 2, 2, 6]), 6)
    >>> plan(numpy.arange(6, dtype=numpy.float32))
    array([ 1.,  0., 14.], dtype=float32)
    >>> plan.lengths()
    Lengths(elements=6, longest=4, skew='uniform')

    For one stream at a time. In the child of a fork make another one.
    """

    def __init__(self, op: str, dtype: Any, offsets: Any, elements: int, *, ends: Any = None, acc_dtype: Any = None,
                 order: Optional[str] = None, cache_mode: Optional[str] = None, op_source: Optional[str] = None,
                 skew: Optional[str] = None, way: Optional[str] = None, measured: bool = False, unsafe: bool = False,
                 stream: Any = None, **options: Any):
        self.op, self._with_values = (op, False) if op_source is not None else _operator(op)
        self.op, self._acc_dtype = of_truth(self.op, acc_dtype)
        self.dtype, self.elements = type_name(dtype), int(elements)
        self._types = types_for(self.op, self.dtype, self._acc_dtype, op_source)
        self._segments = _offsets_of(offsets, ends, stream)
        self.device = self._segments.device
        self._problem = _problem(self.op, self._types, self.elements, max(self._segments.count, 1), self._segments.given[3], order,
                                 cache_mode, op_source, skew)
        self._core = Core(self._problem, options_of(self.device, options))
        self._lock = threading.Lock()
        self._handle = _redtune.plan_create(self._core.handle, self.elements, self._segments.given, way, measured, not unsafe,
                                            self._stream_of(offsets, stream, not unsafe))

    def _stream_of(self, offsets: Any, stream: Any, is_looked_at: bool) -> int:
        """Where offsets are in order. What is looked at is copied on another one."""
        handle = library_of(offsets).stream(self.device) if stream is None else stream_handle(stream)
        if is_looked_at and self.device != HOST:
            _redtune.reducer_synchronize(self._core.handle, handle)
        return handle

    def __call__(self, x: Any, out: Any = None, stream: Any = None) -> Any:
        """Reduces the segments of x, on its library's current stream where no other is given, to a new array, or to out."""
        library = library_of(x)
        _refuse_gradient(library, x)
        view, keeps = _list_of(x, "what has segments", stream)
        if type_of(view) != self.dtype:
            raise TypeError(f"this plan is for {LONG[self.dtype]}, and the array is of {view.dtype}")
        if view.device != self.device:
            raise UsageError(f"this plan is on {self.device}, and the array on {view.device}")
        if view.shape[0] != self.elements:
            raise UsageError(f"this plan is for {self.elements} elements, and the array has {view.shape[0]}")
        plan = _ListPlan(self._core, self._segments.count, library, self.op, self._types, view, self._problem,
                         self._with_values, self._acc_dtype, self._launch)
        return _reducer.called(plan, x, view.address, out, stream, keeps)

    def _launch(self, address: int, out: int, stream: int) -> None:
        with self._lock:
            _redtune.plan_launch(self._core.handle, self._handle, address, out, stream)

    def update(self, offsets: Any, ends: Any = None, stream: Any = None) -> "SegmentPlan":
        """Makes it again, for other offsets of as many segments."""
        segments = _offsets_of(offsets, ends, stream)
        if segments.device != self.device:
            raise UsageError(f"this plan is on {self.device}, and offsets on {segments.device}")
        handle = self._stream_of(offsets, stream, True)
        with self._lock:
            _redtune.plan_update(self._handle, segments.given, handle)
            self._segments = segments
        return self

    def lengths(self, stream: Any = 0) -> Lengths:
        """Looks at all lengths, and waits for the answer."""
        with self._lock:
            return Lengths(*_redtune.plan_measure(self._handle, stream_handle(stream)))

    @property
    def bytes(self) -> int:
        """Of device memory that it takes."""
        return _redtune.plan_bytes(self._handle)

    @property
    def answer(self) -> Answer:
        """The configuration, and how it was found."""
        return answer_of(_redtune.plan_answer(self._handle))

    def __repr__(self) -> str:
        return f"redtune.SegmentPlan({self.op!r}, {self.dtype!r}, {self._segments.count} segments, {self.elements})"


def _first(values: Any, count: int) -> Any:
    if isinstance(values, tuple):
        return type(values)(*(part[:count] for part in values))
    return values[:count]


class ByKeyReducer:
    """Reduces values of equal neighbouring keys to one result for each group.

    op, dtype, acc_dtype, order, cache_mode, op_source and other options: as of a Reducer; key_dtype: of 4 or 8 bytes, keys are
    equal where their bits are; elements: at most so many in a call; groups: so many are expected, 0 where nothing is; way:
    "tiles" or "segments" for whoever knows better than groups says.

    >>> import numpy
    >>> by_key = redtune.ByKeyReducer("sum", "f32", "i32", 1000, device="host")
    >>> keys, sums, count = by_key(numpy.array([7, 7, 2], numpy.int32), numpy.ones(3, numpy.float32))
    >>> keys[:count[0]], sums[:count[0]]
    (array([7, 2], dtype=int32), array([2., 1.], dtype=float32))

    For one stream at a time.
    """

    def __init__(self, op: str, dtype: Any, key_dtype: Any, elements: int, groups: int = 0, *, acc_dtype: Any = None,
                 order: Optional[str] = None, device: Any = None, cache_mode: Optional[str] = None,
                 op_source: Optional[str] = None, skew: Optional[str] = None, way: Optional[str] = None, **options: Any):
        self.op, self._with_values = (op, False) if op_source is not None else _operator(op)
        self.op, self._acc_dtype = of_truth(self.op, acc_dtype)
        self.dtype, self.key_dtype, self.elements = type_name(dtype), type_name(key_dtype), int(elements)
        self._types = types_for(self.op, self.dtype, self._acc_dtype, op_source)
        self._problem = _problem(self.op, self._types, self.elements, groups, 32 if self.elements < 2**31 else 64, order, cache_mode,
                                 op_source, skew)
        asked = _reducer._device_text(device) if device is not None else _reducer._usual_device(dtype)
        self._handle = _redtune.by_key_create(self._problem, 8 * TYPES[self.key_dtype].bytes, options_of(asked, options), way)
        self.device: str = _redtune.by_key_device(self._handle)
        self._lock = threading.Lock()

    def __call__(self, keys: Any, x: Any, stream: Any = None) -> Groups:
        """Groups of x by keys, in arrays with places for as many as x has elements; how many there are is an array with one
        element. Nothing is waited for on a GPU."""
        library = library_of(x)
        _refuse_gradient(library, x)
        view, keeps = _list_of(x, "what has groups", stream)
        key_view, kept_keys = _list_of(keys, "an array of keys", stream)
        for name, known, given in (("elements", self.dtype, view), ("keys", self.key_dtype, key_view)):
            if type_of(given) != known:
                raise TypeError(f"this is for {name} of {LONG[known]}, and they are of {given.dtype}")
            if given.device != self.device:
                raise UsageError(f"this is on {self.device}, and the {name} on {given.device}")
        count = view.shape[0]
        if key_view.shape[0] != count:
            raise UsageError(f"there are {key_view.shape[0]} keys for {count} elements: give one for each")
        if count > self.elements:
            raise UsageError(f"this is for {self.elements} elements at most, and there are {count}")
        require_aligned(key_view.address, self.key_dtype, "the array of keys")
        places: Dict[str, Any] = {}

        def launch(address: int, out: int, on: int) -> None:
            places["keys"] = library.empty((count,), key_view.dtype, x)
            places["count"] = library.empty((1,), LONG["i64"], x)
            with self._lock:
                _redtune.by_key_launch(self._handle, key_view.address, address, count, library.address(places["keys"]), out,
                                       library.address(places["count"]), on)

        plan = _ListPlan(self, max(count, 1), library, self.op, self._types, view, self._problem, self._with_values,
                         self._acc_dtype, launch)
        if kept_keys is not None:
            plan.wait_for(kept_keys, library.stream(view.device) if stream is None else stream_handle(stream))
        values = _reducer.called(plan, x, view.address, None, stream, keeps)
        return Groups(places["keys"], values if count > 0 else _first(values, 0), places["count"])

    @property
    def bytes(self) -> int:
        """Of device memory that it takes."""
        return _redtune.by_key_bytes(self._handle)

    @property
    def way(self) -> str:
        """"tiles" or "segments", whichever it is."""
        return _redtune.by_key_way(self._handle)

    @property
    def answer(self) -> Answer:
        """The configuration of segments, and how it was found."""
        return answer_of(_redtune.by_key_answer(self._handle))

    def synchronize(self, stream: Any = 0) -> None:
        """Waits for a stream. Raises DeviceError for faults of earlier calls."""
        _redtune.by_key_synchronize(self._handle, stream_handle(stream))

    def wait_for(self, view: Any, stream: int, library: Any) -> None:
        wait_for_maker(self, view, stream, library)

    def __repr__(self) -> str:
        return f"redtune.ByKeyReducer({self.op!r}, {self.dtype!r}, {self.key_dtype!r}, {self.elements})"


#: Of functions: a multiple of so many elements is made place for.
_FEWEST_ELEMENTS = 1 << 12


def reduce_by_key(keys: Any, x: Any, reduce: str = "sum", *, dtype: Any = None, stream: Any = None,
                  order: Optional[str] = None) -> Groups:
    """Reduces values of equal neighbouring keys to one result for each group, and waits until it is known how many there are.

    keys: of 4 or 8 bytes each, equal where their bits are, as many as x, an array with one axis, has elements; reduce: a function's name;
    dtype, stream, order: as of functions. A ByKeyReducer waits for nothing.

    >>> import numpy
    >>> redtune.reduce_by_key(numpy.array([7, 7, 2, 7]), numpy.array([1.0, 2.0, 4.0, 8.0]), "max")
    Groups(keys=array([7, 2, 7]), values=array([2., 4., 8.]), count=3)
    """
    library = library_of(x)
    view, key_view = library.view(x), library_of(keys).view(keys)
    elements = view.shape[0] if len(view.shape) == 1 else 0
    key = (reduce, type_of(view), dtype, order, type_of(key_view), view.device)
    shared = _plan.shared
    with shared.by_key_lock:  # one stream at a time, until it is waited for
        by_key = shared.by_keys.get(key)
        if by_key is None or by_key.elements < elements:
            if library.is_capturing(view.device):
                raise UsageError("what is waited for cannot be captured into a graph: call a ByKeyReducer")
            most = max(1 << max(elements - 1, 0).bit_length(), _FEWEST_ELEMENTS)
            by_key = shared.by_keys[key] = ByKeyReducer(reduce, type_of(view), type_of(key_view), most, acc_dtype=dtype, order=order,
                                                        device=view.device)
        groups = by_key(keys, x, stream)
        handle = library.stream(view.device) if stream is None else stream_handle(stream)
        with library.within(handle, view.device):
            count = int(groups.count[0])
    return Groups(groups.keys[:count], _first(groups.values, count), count)
