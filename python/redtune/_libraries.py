# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Libraries that arrays are of: how each is looked at, and results made by the library that they are of.

A library is one class with the few things that differ. Whatever is none of them is read by DLPack or
an array interface, and its results are of the library that owns the memory's kind: NumPy on the host.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Dict, Optional, Tuple

from ._arrays import (DEFAULT_STREAM, HOST, Extents, View, elements_of, number_of, view_of_dlpack, view_of_interface)
from ._redtune import UsageError


class Library:
    """What is common: arrays that index, and that are written by `out[...] = values`."""
    name = ""
    has_gradients = False

    def view(self, x: Any) -> View:
        raise NotImplementedError

    def look(self, x: Any) -> Tuple[Any, int, Any]:
        """In each call: what a plan is looked up by, the address, and what keeps it alive."""
        view = self.view(x)
        return (view.dtype, view.shape, view.strides, view.device, view.is_read_only, view.is_copied), view.address, view

    def look_on(self, x: Any, stream: int) -> Tuple[Any, int, Any]:
        """look(), with the stream on which it is going to be read or written."""
        return self.look(x)

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        """Like x, but for shape and type."""
        raise NotImplementedError

    def like(self, shape: Extents, dtype: str, x: Any) -> Any:
        """What empty() makes, without memory, where the extension module makes such arrays; else None."""
        return None

    def of_results(self, device: str) -> Optional["Library"]:
        """Whose arrays empty() makes there; None: nobody's."""
        return self

    def offsets_of(self, lengths: Any) -> Any:
        """Where segments of these lengths begin, one behind the other, and the last one ends."""
        raise UsageError(f"lengths are of {self.name}, which adds nothing up here: give offsets=")

    def reinterpreted(self, array: Any, dtype: str) -> Any:
        """The same bytes as elements of another type, along the last axis."""
        raise NotImplementedError

    def permuted(self, array: Any, order: Extents) -> Any:
        return array.transpose(order)

    def fill_in(self, out: Any, values: Any) -> None:
        out[...] = values

    def has_type(self, dtype: str) -> bool:
        raise NotImplementedError

    def address(self, array: Any) -> int:
        return self.view(array).address

    def stream(self, device: str) -> int:
        return DEFAULT_STREAM

    def within(self, handle: int, device: str) -> Any:
        """Makes a stream of a device the current one for a while, for new arrays and copies."""
        return contextlib.nullcontext()

    def is_capturing(self, device: str) -> bool:
        return False

    def tracks_gradients(self) -> bool:
        return False

    def wrote(self, out: Any) -> None:
        """Tells a library that tracks gradients that an array has other values."""


def _offsets_of(numpy: Any, lengths: Any) -> Any:
    return numpy.concatenate((numpy.zeros(1, "int64"), numpy.cumsum(lengths, dtype="int64")))


class NumPy(Library):
    name = "NumPy"

    def __init__(self) -> None:
        import numpy
        self.numpy = numpy

    def view(self, x: Any) -> View:
        dtype, interface = x.dtype, x.__array_interface__
        if not dtype.isnative:
            raise UsageError(f"the elements are {dtype}, of another byte order: copy them first, by "
                             "x.astype(x.dtype.newbyteorder('='))")
        address, is_read_only = interface["data"]
        shape = x.shape
        return View(address, dtype.name, shape, elements_of(interface["strides"], dtype.itemsize, shape), HOST, None,
                    is_read_only)

    def look(self, x: Any) -> Tuple[Any, int, Any]:
        address, is_read_only = x.__array_interface__["data"]
        return (x.dtype, x.shape, x.strides, is_read_only), address, None

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        return self.numpy.empty(shape, dtype)

    def offsets_of(self, lengths: Any) -> Any:
        return _offsets_of(self.numpy, lengths)

    def reinterpreted(self, array: Any, dtype: str) -> Any:
        return array.view(dtype)

    def has_type(self, dtype: str) -> bool:
        return dtype == "bool" or hasattr(self.numpy, dtype)


class CuPy(Library):
    name = "CuPy"

    def __init__(self) -> None:
        import cupy
        self.cupy = cupy
        self.platform = "hip" if cupy.cuda.runtime.is_hip else "cuda"

    def view(self, x: Any) -> View:
        itemsize = x.dtype.itemsize
        return View(x.data.ptr, x.dtype.name, x.shape, elements_of(x.strides, itemsize, x.shape),
                    f"{self.platform}:{x.device.id}")

    def look(self, x: Any) -> Tuple[Any, int, Any]:
        data = x.data
        return (x.dtype, x.shape, x.strides, data.device_id), data.ptr, None

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        with x.device:
            return self.cupy.empty(shape, dtype)

    def offsets_of(self, lengths: Any) -> Any:
        with lengths.device:
            return _offsets_of(self.cupy, lengths)

    def reinterpreted(self, array: Any, dtype: str) -> Any:
        return array.view(dtype)

    def has_type(self, dtype: str) -> bool:
        return dtype == "bool" or hasattr(self.cupy, dtype)

    def address(self, array: Any) -> int:
        return array.data.ptr

    def stream(self, device: str) -> int:
        return self._current(device).ptr or DEFAULT_STREAM

    def _current(self, device: str) -> Any:
        with self.cupy.cuda.Device(number_of(device)):
            return self.cupy.cuda.get_current_stream()

    @contextlib.contextmanager
    def within(self, handle: int, device: str) -> Any:
        cuda, number = self.cupy.cuda, number_of(device)
        stream = cuda.Stream.null if handle == DEFAULT_STREAM else cuda.ExternalStream(handle, number)
        with cuda.Device(number), stream:
            yield

    def is_capturing(self, device: str) -> bool:
        return bool(self._current(device).is_capturing())


class Foreign(Library):
    """Of a library that is none of the above."""
    name = "another library"

    def view(self, x: Any, stream: Optional[int] = None) -> View:
        if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
            return view_of_dlpack(x, self.stream if stream is None else lambda device: stream)
        interface = getattr(x, "__cuda_array_interface__", None)
        if interface is not None:
            return view_of_interface(x, interface, "cuda:0" if not hasattr(x, "device_id") else f"cuda:{x.device_id}")
        interface = getattr(x, "__array_interface__", None)
        if interface is not None:
            return view_of_interface(x, interface, HOST)
        return self._view_of_buffer(x)

    def look_on(self, x: Any, stream: int) -> Tuple[Any, int, Any]:
        view = self.view(x, stream)
        return (view.dtype, view.shape, view.strides, view.device, view.is_read_only, view.is_copied), view.address, view

    def stream(self, device: str) -> int:
        """The current one of the library of which results are, so that they are in order there."""
        library = self.of_results(device)
        return DEFAULT_STREAM if library is None else library.stream(device)

    def within(self, handle: int, device: str) -> Any:
        library = self.of_results(device)
        return contextlib.nullcontext() if library is None else library.within(handle, device)

    def is_capturing(self, device: str) -> bool:
        library = self.of_results(device)
        return library is not None and library.is_capturing(device)

    def _view_of_buffer(self, x: Any) -> View:
        try:
            buffer = memoryview(x)
        except TypeError:
            raise TypeError(f"a {type(x).__name__} is no array: redtune takes what has DLPack, "
                            "__cuda_array_interface__, __array_interface__ or a buffer") from None
        return library_named("numpy").view(library_named("numpy").numpy.asarray(buffer))._replace(keeps=buffer)

    def of_results(self, device: str) -> Optional[Library]:
        for name in ("numpy",) if device == HOST else ("cupy", "torch"):
            if device == HOST or name in sys.modules:
                return library_named(name)
        return None

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        device = self.view(x).device
        library: Any = self.of_results(device)
        number = device.partition(":")[2]
        if library is not None and library.name == "NumPy":
            return library.empty(shape, dtype, x)
        if library is not None and library.name == "CuPy":
            with library.cupy.cuda.Device(int(number)):
                return library.cupy.empty(shape, dtype)
        if library is not None:
            return library.torch.empty(shape, dtype=getattr(library.torch, dtype), device=f"cuda:{number}")
        raise UsageError(f"redtune cannot make arrays as a {type(x).__name__} on {device}: give it out=, or import torch "
                         "or cupy, of which results are then")

    def _of(self, array: Any) -> Library:
        return library_of(array)

    def reinterpreted(self, array: Any, dtype: str) -> Any:
        return self._of(array).reinterpreted(array, dtype)

    def permuted(self, array: Any, order: Extents) -> Any:
        return self._of(array).permuted(array, order)

    def fill_in(self, out: Any, values: Any) -> None:
        self._of(values).fill_in(out, values)

    def has_type(self, dtype: str) -> bool:
        return dtype != "bfloat16"

    def address(self, array: Any) -> int:
        library = self._of(array)
        return library.view(array).address if library is self else library.address(array)


def _torch() -> Library:
    from ._torch_library import Torch  # it needs Library, and is read where torch is
    return Torch()


_MAKERS: Dict[str, Callable[[], Library]] = {"numpy": NumPy, "cupy": CuPy, "torch": _torch, "foreign": Foreign}
_ROOT_TYPES = {"numpy": "ndarray", "cupy": "ndarray", "torch": "Tensor"}
_libraries: Dict[str, Library] = {}
_of_type: Dict[type, Library] = {}


def library_named(name: str) -> Any:
    library = _libraries.get(name)
    if library is None:
        library = _libraries[name] = _MAKERS[name]()
    return library


def _found(kind: type) -> Library:
    for name, root in _ROOT_TYPES.items():
        module = sys.modules.get(name)
        if module is None or not issubclass(kind, getattr(module, root, ())):
            continue
        if name == "numpy" and issubclass(kind, module.ma.MaskedArray):
            raise UsageError("the array is masked, and redtune knows no masks: take the elements that count first, by "
                             "x.compressed()")
        return library_named(name)
    return library_named("foreign")


def library_of(x: Any) -> Any:
    """Of an array, by its type."""
    library = _of_type.get(type(x))
    if library is None:
        library = _of_type[type(x)] = _found(type(x))
    return library
