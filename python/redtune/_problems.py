# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""What is to be reduced: operators, the types that they compute in and give, shapes and axes."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _redtune
from ._redtune import UsageError
from ._types import TYPES, long_name, type_name

Axes = Union[None, int, Sequence[int]]


class Operator(NamedTuple):
    name: str
    summary: str
    takes: str  # "any", "floats", "integers"
    shape: str  # "value", "indexed", "pair"
    values: Tuple[str, ...]  # what its values are called


OPERATORS: Dict[str, Operator] = {row[0]: Operator(*row) for row in _redtune.operators()}


#: Other names of operators, as torch has them.
ALIASES = {"prod": "product", "amin": "min", "amax": "max", "aminmax": "min_max"}


def with_values_name(op: str) -> str:
    """What gives the value as well, of an operator that tells an index."""
    return f"{'min' if 'min' in op else 'max'}_{op}"


class Interval(NamedTuple):
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Answer:
    """The best known configuration of a problem, and how it was found."""
    match: str  #: "exact", "drift", "sibling", "near", "predicted" or "default"
    settings: Dict[str, str] = field(repr=False)
    time_us: Optional[Interval]  #: as measured when it was tuned
    gain: Optional[Interval]  #: the time of the default divided by this one's
    why: str  #: why this match, and not a better one
    source: str  #: the file that it is from; "": built in
    family: str  #: the kernel template that the settings belong to
    tuned_at: str  #: UTC, ISO 8601; "": not known


def answer_of(row: Tuple[Any, ...]) -> Answer:
    match, settings, time_us, gain, *rest = row
    return Answer(match, settings, time_us and Interval(*time_us), gain and Interval(*gain), *rest)


class Types(NamedTuple):
    """redtune's names."""
    element: str
    acc: Optional[str]  # None: as the operator has it
    out: Optional[str]


_OF_TRUTH = {"sum": "any", "product": "all"}


def of_truth(op: str, dtype: Any) -> Tuple[str, Any]:
    """The operator, and the type, of results that are asked for as truth values, as torch has them: a sum of these is true where
    one is, a product where all are."""
    if dtype is None or long_name(dtype) not in ("bool", "bool_"):
        return op, dtype
    if op in ("any", "all"):
        return op, None
    if op not in _OF_TRUTH:
        raise TypeError(f"{op} gives no truth values: dtype=bool is for {', '.join(_OF_TRUTH)}, any and all")
    return _OF_TRUTH[op], None


def types_for(op: str, element: str, dtype: Any = None, source: Optional[str] = None) -> Types:
    """What an operator computes in and gives where dtype is asked for, as torch has it: 16-bit floats give what they
    are, and dtype is the type of the result, in which, or in a wider one, is accumulated."""
    if source is not None:
        return Types(element, dtype and type_name(dtype), None)
    of_shape = _redtune.reduce_axes((1,), None, ())[0]
    acc, out, shape, _, _ = _redtune.describe_result((op, element, None, None, None, None, None, of_shape))
    if dtype is None:
        is_rounded = TYPES[element].is_floating and TYPES[element].bytes == 2 and TYPES[out].is_floating
        return Types(element, None, element if is_rounded and shape != "indexed" and out != element else None)
    asked = type_name(dtype)
    if asked == out:
        return Types(element, None, None)
    is_real = TYPES[asked].is_floating
    is_wider = is_real and TYPES[acc].is_floating and TYPES[asked].bytes > TYPES[acc].bytes
    from_integers = is_real and not TYPES[out].is_floating
    return Types(element, "f64" if is_wider or from_integers else None, asked)


class Layout(NamedTuple):
    """What remains of an array once axes are reduced."""
    array: Any  # of the library
    kind: Tuple[bool, ...]  # has a batch, results before, results behind, gaps between elements: such arrays share kernels
    shape: Tuple[int, ...]  # of the results, as they are asked for
    stored: Tuple[int, ...]  # and as they lie in memory, one behind the other
    order: Optional[Tuple[int, ...]]  # which stored axis each one is; None: as they stand
    has_results: bool
    extents: Tuple[int, ...] = ()  # elements of a result, results before and behind, arrays of a batch


def plain_axes(dim: Any) -> Union[None, int, Tuple[int, ...]]:
    """Of whatever is a whole number, or several."""
    if dim is None:
        return None
    try:
        return operator.index(dim)
    except TypeError:
        pass
    try:
        return tuple(operator.index(axis) for axis in dim)
    except TypeError:
        raise TypeError(f"dim is {dim!r}; it is the number of an axis, or several") from None


def axes_of(dim: Axes, rank: int) -> List[int]:
    """From 0, in order; all where none is named."""
    if dim is None:
        return list(range(rank))
    plain = plain_axes(dim)
    given = (plain,) if isinstance(plain, int) else plain
    if not given:
        return list(range(rank))
    axes = []
    for axis in given:
        if not -max(rank, 1) <= axis < max(rank, 1):
            known = f"they are 0 to {rank - 1}, or -1 to {-rank} backwards" if rank else "leave dim out"
            raise UsageError(f"dim is {axis}, and the array has {rank} axes: {known}")
        axis %= max(rank, 1)
        if axis in axes:
            raise UsageError(f"axis {axis} is named twice in dim")
        axes.append(axis)
    return sorted(axes) if rank else []


def _refuse_strides(shape: Sequence[int], strides: Sequence[int]) -> None:
    for axis, extent in enumerate(shape):
        if extent > 1 and strides[axis] < 0:
            raise UsageError(f"axis {axis} runs backwards: its stride is {strides[axis]}. Copy the array first "
                             "(numpy.ascontiguousarray(x)), since redtune never does in silence")
        if extent > 1 and strides[axis] == 0:
            raise UsageError(f"axis {axis} is one element {extent} times, as broadcasting makes it: reduce before you "
                             "broadcast, or copy the array first")


def _contiguous(shape: Sequence[int]) -> List[int]:
    strides, step = [1] * len(shape), 1
    for axis in reversed(range(len(shape))):
        strides[axis] = step
        step *= max(shape[axis], 1)
    return strides


def layout_of(shape: Sequence[int], strides: Optional[Sequence[int]], dim: Axes, keepdim: bool,
              is_indexed: bool) -> Layout:
    """Raises UsageError, with what to do, where an array cannot be reduced where it lies."""
    rank = len(shape)
    reduced = axes_of(dim, rank)
    kept = [axis for axis in range(rank) if axis not in reduced]
    results = tuple(1 if axis in reduced else shape[axis] for axis in range(rank) if keepdim or axis not in reduced)
    if any(shape[axis] == 0 for axis in kept):
        return Layout(None, (False,) * 4, results, results, None, False)
    steps = list(strides) if strides is not None and 0 not in shape else _contiguous(shape)
    _refuse_strides(shape, steps)
    large = [axis for axis in range(rank) if shape[axis] != 1]
    in_memory = sorted(large, key=lambda axis: -steps[axis])
    if is_indexed and [a for a in in_memory if a in reduced] != [a for a in large if a in reduced]:
        raise UsageError("indices count elements as they lie in memory, and the reduced axes lie there in another order: "
                         "copy the array first (x.contiguous() in torch, numpy.ascontiguousarray(x))")
    try:
        array, count, outer, inner, _, count_pitch, batch, _ = _redtune.reduce_axes(
            tuple(shape[axis] for axis in in_memory) or (1,), tuple(steps[axis] for axis in in_memory) or (1,),
            tuple(i for i, axis in enumerate(in_memory) if axis in reduced) if in_memory else (0,)
        ) if any(axis in reduced for axis in in_memory) else _single(shape, steps, in_memory)
    except UsageError:
        raise UsageError(_why_not(shape, steps, reduced)) from None
    stored_order = [axis for axis in in_memory if axis in kept]
    is_natural = stored_order == sorted(stored_order)
    kind = (batch > 1, outer > 1, inner > 1, count_pitch != 0)
    extents = (count, outer, inner, batch)
    if is_natural:
        return Layout(array, kind, results, results, None, True, extents)
    places = [axis for axis in range(rank) if keepdim or axis in kept]
    stored_places = stored_order + [axis for axis in places if axis not in stored_order]
    stored = tuple(1 if axis in reduced else shape[axis] for axis in stored_places)
    return Layout(array, kind, results, stored, tuple(stored_places.index(axis) for axis in places), True, extents)


def _single(shape: Sequence[int], steps: Sequence[int], in_memory: Sequence[int]) -> Tuple[Any, ...]:
    """Each result is of one element: an axis of one index is reduced, behind all others."""
    return _redtune.reduce_axes((*(shape[axis] for axis in in_memory), 1), (*(steps[axis] for axis in in_memory), 1),
                                (len(in_memory),))


def _why_not(shape: Sequence[int], strides: Sequence[int], reduced: Sequence[int]) -> str:
    extents, axes = "x".join(map(str, shape)), ", ".join(map(str, reduced))
    steps = _contiguous(shape)
    if list(strides) != steps:
        try:
            layout_of(shape, steps, reduced, False, False)
        except UsageError:
            pass
        else:
            return (f"an array of {extents} with strides of {', '.join(map(str, strides))} elements cannot be reduced over "
                    f"dim {axes} where it lies: copy it first (x.contiguous() in torch, numpy.ascontiguousarray(x)), since "
                    "redtune never does in silence")
    return (f"dim {axes} of an array of {extents} come apart in memory, with kept axes between and behind them: reduce one "
            "after the other, or copy the array into an order in which they stand together")
