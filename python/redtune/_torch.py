# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""What torch has beyond arrays: gradients, and an operator that torch.compile knows."""

from __future__ import annotations

from typing import Any, List, Optional

import torch

from . import _libraries, _plan, _reducer, _redtune
from ._problems import OPERATORS, axes_of, layout_of, of_truth, types_for
from ._redtune import UsageError
from ._types import LONG, type_name

#: Operators with a gradient.
DIFFERENTIABLE = ("sum", "mean")


def _gradient_of(op: str, gradient: Any, shape: Any, dtype: Any, dim: Any, keepdim: bool) -> Any:
    """Of an array of that shape and type, whose elements are not needed for it."""
    axes = axes_of(dim, len(shape))
    if not keepdim:
        for axis in axes:
            gradient = gradient.unsqueeze(axis)
    if op == "mean":
        count = 1
        for axis in axes:
            count *= shape[axis]
        gradient = gradient / count
    return gradient.to(dtype).expand(shape)


class _Differentiable(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: Any, op: str, dim: Any, keepdim: bool, reduced: Any) -> Any:  # type: ignore[override]
        context.shape, context.dtype, context.op, context.dim, context.keepdim = x.shape, x.dtype, op, dim, keepdim
        return reduced(x.detach())

    @staticmethod
    def backward(context: Any, gradient: Any) -> Any:  # type: ignore[override]
        found = _gradient_of(context.op, gradient, context.shape, context.dtype, context.dim, context.keepdim)
        return (found, *[None] * 4)


def _without_gradient(op: str) -> str:
    return (f"{op} has no gradient in redtune, only {' and '.join(DIFFERENTIABLE)} have: give it x.detach(), or call it "
            "within torch.no_grad()")


def _gives_floats(op: str, x: Any, dtype: Any, with_values: bool) -> bool:
    row = OPERATORS[op]
    if row.shape == "indexed" and not with_values:
        return False
    of_one = layout_of((1,), None, None, False, False)
    op, dtype = of_truth(op, dtype)
    types = types_for(op, type_name(x.dtype), dtype)
    out = _redtune.describe_result(_plan.problem_of(op, types, of_one))[1]
    return _is_float(out)


def _is_float(name: str) -> bool:
    return LONG[name].startswith(("float", "bfloat"))


def reduce_with_gradient(op: str, x: Any, dim: Any, keepdim: bool, dtype: Any, out: Any, stream: Any, order: Any,
                         with_values: bool) -> Any:
    """Of a tensor whose gradient is asked for."""
    if not _gives_floats(op, x, dtype, with_values):
        return _reducer.reduce(op, x.detach(), dim, keepdim, dtype, out, stream, order, with_values)
    _require_gradient(op, op in DIFFERENTIABLE, out)
    return _Differentiable.apply(x, op, dim, keepdim,
                                 lambda values: _reducer.reduce(op, values, dim, keepdim, dtype, None, stream, order))


def call_with_gradient(reducer: Any, x: Any, out: Any, stream: Any) -> Any:
    """Of a Reducer, called with a tensor whose gradient is asked for."""
    library = _libraries.library_of(x)
    if reducer._is_indexed or not _is_float(reducer._described[1]):
        return reducer._call(library, x.detach(), out, stream)
    _require_gradient(reducer.op, reducer.op in DIFFERENTIABLE and not reducer._is_own, out)
    return _Differentiable.apply(x, reducer.op, reducer.dim, reducer.keepdim,
                                 lambda values: reducer._call(library, values, None, stream))


def _require_gradient(op: str, has_gradient: bool, out: Any) -> None:
    if not has_gradient:
        raise UsageError(_without_gradient(op))
    if out is not None:
        raise UsageError("out= has no gradient: leave it out, or call it within torch.no_grad()")


def _operator() -> Optional[Any]:
    """torch.ops.redtune.reduce: one for all operators, which gives each part of a result. None before torch 2.4."""
    custom_op = getattr(torch.library, "custom_op", None)
    if custom_op is None:
        return None

    @custom_op("redtune::reduce", mutates_args=(),
               schema="(Tensor x, str op, int[] dim, bool keepdim, ScalarType? dtype, str? order) -> Tensor[]")
    def operator(x: Any, op: str, dim: List[int], keepdim: bool, dtype: Any, order: Optional[str]) -> Any:
        parts = _reducer.reduce(op, x.detach(), tuple(dim), keepdim, dtype, None, None, order, True)
        if not isinstance(parts, tuple):
            return [parts.contiguous()]
        # Parts share memory, which outputs of an operator may not.
        return [part.clone(memory_format=torch.contiguous_format) for part in parts]

    @operator.register_fake
    def _fake(x: Any, op: str, dim: List[int], keepdim: bool, dtype: Any, order: Optional[str]) -> Any:
        axes = axes_of(dim, x.dim())
        shape = [1 if axis in axes else x.shape[axis] for axis in range(x.dim()) if keepdim or axis not in axes]
        return [x.new_empty(shape, dtype=getattr(torch, name)) for name in _part_types(op, x, dtype)]

    def _setup(ctx: Any, inputs: Any, output: Any) -> None:
        x, ctx.op, ctx.dim, ctx.keepdim, _, _ = inputs
        ctx.shape, ctx.dtype = x.shape, x.dtype

    def _backward(context: Any, gradients: Any) -> Any:
        if context.op not in DIFFERENTIABLE:
            raise UsageError(_without_gradient(context.op))
        found = _gradient_of(context.op, gradients[0], context.shape, context.dtype, context.dim, context.keepdim)
        return (found, *[None] * 5)

    operator.register_autograd(_backward, setup_context=_setup)
    return operator


def _part_types(op: str, x: Any, dtype: Any) -> List[str]:
    """Names of torch's types of the parts of a result."""
    of_one = layout_of((1,), None, None, False, False)
    op, dtype = of_truth(op, dtype)
    types = types_for(op, type_name(x.dtype), dtype)
    described = _redtune.describe_result(_plan.problem_of(op, types, of_one))
    library = _libraries.library_named("torch")
    value = _plan.given_type(library, types, described[1], x.dtype is torch.bool, op, dtype)
    if described[2] == "indexed":
        return [value, LONG["i64"]]
    return [value] * (2 if described[2] == "pair" else 1)


OPERATOR = _operator()


def reduce_traced(op: str, shape: str, x: Any, dim: Any, keepdim: bool, dtype: Any, order: Any,
                  with_values: bool) -> Any:
    """Within torch.compile, which reads this function: it says no more than it has to."""
    dims = [] if dim is None else list(dim) if isinstance(dim, (tuple, list)) else [int(dim)]
    if dtype is not None and not isinstance(dtype, torch.dtype):
        dtype = getattr(torch, LONG[type_name(dtype)])
    parts = torch.ops.redtune.reduce.default(x, op, dims, keepdim, dtype, order)
    if shape == "value":
        return parts[0]
    return (parts[0], parts[1]) if shape == "pair" or with_values else parts[1]
