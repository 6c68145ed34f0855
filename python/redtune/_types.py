# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Names of element types: redtune's, and those of NumPy, torch and DLPack."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple

from . import _redtune


class Type(NamedTuple):
    name: str  # "f32"
    kind: str  # "floating", "signed_int", "unsigned_int"
    bytes: int

    @property
    def is_floating(self) -> bool:
        return self.kind == "floating"


TYPES: Dict[str, Type] = {name: Type(name, kind, size) for name, kind, size in _redtune.types()}

_PREFIX = {"floating": "float", "signed_int": "int", "unsigned_int": "uint"}
#: "float32" and the like, as NumPy, torch and the array API have it.
LONG: Dict[str, str] = {t.name: "bfloat16" if t.name == "bf16" else f"{_PREFIX[t.kind]}{8 * t.bytes}"
                        for t in TYPES.values()}
#: What each name means, redtune's own among them. Truth values are bytes.
SHORT: Dict[str, str] = {**{name: name for name in TYPES}, **{long: short for short, long in LONG.items()},
                         "bool": "u8", "bool_": "u8", "half": "f16", "float": "f32", "double": "f64"}
_DLPACK_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}

_named: Dict[Any, str] = {}


def long_name(dtype: Any) -> str:
    """As a library calls it: "float32" of torch.float32, numpy.float32, numpy.dtype("f4"), "f32"."""
    if isinstance(dtype, str):
        return dtype
    if dtype is float:
        return "float64"
    if dtype is int:
        return "int64"
    if dtype is bool:
        return "bool"
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None)
    return name if isinstance(name, str) else str(dtype).rpartition(".")[2]


def type_name(dtype: Any) -> str:
    """redtune's name, "f32", of a type of any library. Raises TypeError.

    >>> type_name("float32"), type_name("bf16"), type_name(int)
    ('f32', 'bf16', 'i64')
    """
    try:
        return _named[dtype]
    except (KeyError, TypeError):
        pass
    name = SHORT.get(long_name(dtype))
    if name is None:
        raise TypeError(f"redtune has no type {long_name(dtype)}; it has {', '.join(LONG.values())} and bool")
    try:
        _named[dtype] = name
    except TypeError:  # not hashable
        pass
    return name


def dlpack_long_name(code: int, bits: int, lanes: int) -> str:
    base = _DLPACK_CODES.get(code, f"DLPack type {code} of ")
    name = "bool" if base == "bool" else f"{base}{bits}"
    return name if lanes == 1 else f"{name}x{lanes}"
