# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Where arrays lie, as DLPack and array interfaces tell it; streams."""

from __future__ import annotations

import sys
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _redtune
from ._redtune import UsageError
from ._types import LONG, SHORT, TYPES, dlpack_long_name

Extents = Tuple[int, ...]
HOST = "host"


class View(NamedTuple):
    """Where an array lies. Lives no longer than the array."""
    address: int
    dtype: str  # the library's own name: "float32", "bool"
    shape: Extents
    strides: Optional[Extents]  # in elements; None: without gaps
    device: str  # "host", "cuda:0"
    keeps: Any = None  # what keeps it alive, where the array does not
    is_read_only: bool = False
    is_copied: bool = False  # what is written there does not get to the array
    stream: Optional[int] = None  # where it is made, if it may not be ready yet


def elements_of(strides: Optional[Extents], size: int, shape: Extents) -> Optional[Extents]:
    """Strides in elements from those in bytes."""
    if strides is None:
        return None
    for axis, stride in enumerate(strides):
        if stride % size and shape[axis] > 1:
            raise UsageError(f"the stride of axis {axis} is {stride} bytes, and elements have {size}: copy the array "
                             "first, since redtune never does in silence")
    return tuple(stride // size for stride in strides)


def number_of(device: str) -> int:
    """Of a device among those of its platform."""
    return int(device.partition(":")[2] or 0)


#: The default stream. Of redtune 0 is a stream of each Reducer's own, in order with no other Reducer's.
DEFAULT_STREAM = 1


def stream_handle(stream: Any) -> int:
    """The address of a stream: a number, or a stream of torch, CuPy, Numba or CUDA Python. Of libraries the default one
    is 0."""
    return _handle_of(stream) or DEFAULT_STREAM


def _handle_of(stream: Any) -> int:
    if isinstance(stream, int):
        return stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        version_and_handle = protocol() if callable(protocol) else protocol
        return int(version_and_handle[1])
    for name in ("cuda_stream", "ptr", "handle"):
        handle = getattr(stream, name, None)
        if handle is not None:
            return int(getattr(handle, "value", handle) or 0)
    raise TypeError(f"stream is a {type(stream).__name__}; it is a number, an object with __cuda_stream__, or a stream "
                    "of torch or CuPy")


def type_of(view: View) -> str:
    """redtune's name of the elements' type. Raises TypeError."""
    name = SHORT.get(view.dtype)
    if name is None:
        raise TypeError(f"redtune has no type {view.dtype}; it has {', '.join(LONG.values())} and bool")
    return name


def require_aligned(address: int, dtype: str, what: str = "the array") -> None:
    if address % TYPES[dtype].bytes:
        raise UsageError(f"{what} begins at an address that is no multiple of {TYPES[dtype].bytes} bytes, the size of "
                         f"its {LONG[dtype]}: copy it first, since redtune never does in silence")


_DLPACK_PLATFORMS = {2: "cuda", 10: "hip", 11: "hip", 13: "cuda"}
_DLPACK_HOST = (1, 3, 11)
_DLPACK_READ_ONLY, _DLPACK_COPIED = 1, 2


def _dlpack_stream(device_type: int, handle: int) -> int:
    """As DLPack numbers them: the default stream is 1 of CUDA, and 0 of HIP."""
    return 0 if device_type == 10 and handle == DEFAULT_STREAM else handle


def _capsule_of(x: Any, options: Dict[str, Any]) -> Any:
    try:
        return x.__dlpack__(max_version=(1, 0), copy=False, **options)
    except TypeError:  # of a library before version 1
        return x.__dlpack__(**options)


def view_of_dlpack(x: Any, stream_of: Any) -> View:
    """stream_of(device): where x is to be ready."""
    device_type, device_id = (int(part) for part in x.__dlpack_device__())
    options = {}
    if device_type not in _DLPACK_HOST:
        device = f"{_DLPACK_PLATFORMS.get(device_type, '')}:{device_id}"
        options = {"stream": _dlpack_stream(device_type, stream_of(device))}
    capsule = _capsule_of(x, options)
    address, kind, number, code, bits, lanes, shape, strides, flags = _redtune.dlpack(capsule)
    if kind in _DLPACK_HOST:
        device = HOST
    elif kind in _DLPACK_PLATFORMS:
        device = f"{_DLPACK_PLATFORMS[kind]}:{number}"
    else:
        raise UsageError(f"the array is on a device of DLPack's type {device_type}, number {device_id}; redtune reduces "
                         "on CPUs and on GPUs of CUDA and HIP")
    return View(address, dlpack_long_name(code, bits, lanes), shape, strides, device, capsule,
                bool(flags & _DLPACK_READ_ONLY), bool(flags & _DLPACK_COPIED))


_TYPESTR_KINDS = {"f": "float", "i": "int", "u": "uint", "b": "bool"}


def view_of_interface(x: Any, interface: Dict[str, Any], device: str) -> View:
    order, kind, size = interface["typestr"][0], interface["typestr"][1], int(interface["typestr"][2:])
    if order == (">" if sys.byteorder == "little" else "<"):
        raise UsageError(f"the elements are {interface['typestr']}, of another byte order: copy them first")
    if interface.get("mask") is not None:
        raise UsageError("the array is masked, and redtune knows no masks: take the elements that count first")
    base = _TYPESTR_KINDS.get(kind, f"'{kind}' of ")
    name = "bool" if base == "bool" else f"{base}{8 * size}"
    name = getattr(getattr(x, "dtype", None), "name", name) if kind == "V" else name
    shape = tuple(interface["shape"])
    address, is_read_only = interface["data"]
    return View(address or 0, name, shape, elements_of(interface.get("strides"), size, shape), device, None,
                bool(is_read_only), False, None if device == HOST else interface.get("stream"))
