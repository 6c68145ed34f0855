# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""A function for each operator of the library."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, Optional

from . import _libraries, _reducer
from ._problems import ALIASES, OPERATORS, Axes, Operator, with_values_name
from ._redtune import call, calls_create

_PARAMETERS = """
    x: an array of torch, CuPy, NumPy, or of any library with DLPack or an array interface. dim: an axis, several, or None
    for all; keepdim: reduced axes stay, with one index. {types}out: where results go instead of a new array. stream: in
    the place of the library's current one. order: "fixed", "any" or "rows", what the bits may depend on.
"""
_TYPES = "dtype: of the result, accumulated in it or wider. "
_GIVES = {"value": "Gives an array of x's library", "pair": "Gives the tuple ({values}) of arrays of x's library",
          "indexed": "Gives indices, as int64, and {both} gives both, values and indices, in one pass"}


def _doc(name: str, row: Operator, with_values: bool) -> str:
    both = with_values_name(row.name)
    gives = "Gives the tuple (values, indices)" if with_values else _GIVES[row.shape].format(
        values=", ".join(row.values), both=both)
    types = "" if row.shape == "indexed" else _TYPES
    return f"{row.summary[0].upper()}{row.summary[1:]}.\n\n    {gives}.\n{_PARAMETERS.format(types=types)}"


def _is_compiling() -> bool:
    """Whether torch.compile reads this, once there is a torch that has it: that believes torch's own function alone."""
    return False


def _is_traced() -> bool:
    """Likewise, and where it is run to be exported: with tensors of other types."""
    return False


#: Of each function what it was called with before.
_calls: Dict[str, Any] = {}


def know_torch(torch: Any) -> None:
    global _is_compiling, _is_traced
    compiler = getattr(torch, "compiler", None)
    if hasattr(torch.library, "custom_op") and hasattr(compiler, "is_compiling"):
        from . import _torch as _  # registers the operator
        _is_traced = torch.compiler.is_compiling
        _is_compiling = getattr(torch.compiler, "is_dynamo_compiling", _is_traced)


def _function(name: str, row: Operator, with_values: bool) -> Callable[..., Any]:
    op, shape = row.name, row.shape

    def function(x: Any, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None,
                 stream: Any = None, order: Optional[str] = None) -> Any:
        if _is_compiling():
            from . import _torch
            if out is None and stream is None:
                return _torch.reduce_traced(op, shape, x, dim, keepdim, dtype, order, with_values)
        if stream is None:
            result = call(_calls[name], x, out, dim, keepdim, dtype, order)
            if result is not None:
                return result
        if _is_traced() and out is None and stream is None:
            from . import _torch
            return _torch.reduce_traced(op, shape, x, dim, keepdim, dtype, order, with_values)
        calls = _calls[name] if stream is None else None
        if getattr(x, "requires_grad", False) and _libraries.library_of(x).tracks_gradients():
            from . import _torch
            return _torch.reduce_with_gradient(op, x, dim, keepdim, dtype, out, stream, order, with_values)
        return _reducer.reduce(op, x, dim, keepdim, dtype, out, stream, order, with_values, calls)

    _calls[name] = calls_create()
    function.__name__ = function.__qualname__ = name
    function.__module__ = "redtune"
    function.__doc__ = _doc(name, row, with_values)
    return function


def functions() -> Dict[str, Callable[..., Any]]:
    """By name: one for each operator, for each that tells an index another that gives the value as well, and aliases."""
    all_functions: Dict[str, Callable[..., Any]] = {}
    for row in OPERATORS.values():
        all_functions[row.name] = _function(row.name, row, False)
        if row.shape == "indexed":
            both = with_values_name(row.name)
            all_functions[both] = _function(both, row, True)
    for alias, name in ALIASES.items():
        all_functions[alias] = all_functions[name]
    return all_functions


def signature() -> inspect.Signature:
    """That all of them have."""
    return inspect.signature(_function("sum", OPERATORS["sum"], False))
