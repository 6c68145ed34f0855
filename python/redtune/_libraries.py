# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Libraries that arrays are of: how each is looked at, and results made by the library that they are of.

A library is one class with the few things that differ. Whatever is none of them is read by DLPack or
an array interface, and its results are of the library that owns the memory's kind: NumPy on the host.
"""

from __future__ import annotations

import contextlib
import re
import sys
from typing import Any, Dict, Optional, Tuple

from . import _redtune
from ._arrays import (DEFAULT_STREAM, HOST, Extents, View, elements_of, number_of, view_of_dlpack, view_of_interface)
from ._redtune import UsageError
from ._types import LONG, long_name

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


def _exchange_of(torch: Any) -> Any:
    """DLPack's functions for tensors in C, which torch has from 2.10 on: those of others need not fit this torch."""
    if tuple(int(part) for part in re.findall(r"\d+", torch.__version__)[:2]) < (2, 10):
        return None
    return getattr(torch.Tensor, "__dlpack_c_exchange_api__", getattr(torch.Tensor, "__c_dlpack_exchange_api__", None))


class Torch(Library):
    name = "torch"
    has_gradients = True

    def __init__(self) -> None:
        import torch
        self.torch = torch
        self.platform = "hip" if getattr(torch.version, "hip", None) else "cuda"
        self._names = {getattr(torch, name): name for name in [*LONG.values(), "bool"] if hasattr(torch, name)}
        self._types = {name: dtype for dtype, name in self._names.items()}
        self._devices: Dict[Any, str] = {}
        self._indices: Dict[str, int] = {}
        self._raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self._new_version = getattr(torch.autograd.graph, "increment_version", None) or getattr(
            torch._C, "_increment_version", lambda out: out.transpose_(0, 0))  # which moves nothing, and counts
        self._tell_module()
        from . import _functions
        _functions.know_torch(torch)

    def _tell_module(self) -> None:
        """What calls need that the extension module does alone."""
        torch = self.torch
        changed, takes_tuples = getattr(torch._C, "_increment_version", None), False
        if changed is None:
            changed = self._new_version
        else:
            with torch.inference_mode(False):
                one = torch.empty(0, device="cpu")
                try:
                    changed((one,))
                    takes_tuples = one._version == 1
                except (TypeError, RuntimeError):  # before 2.5 it takes a tensor
                    pass
        _redtune.know_torch(torch.Tensor, _exchange_of(torch), torch.empty_like, torch.is_grad_enabled, changed,
                            takes_tuples, self._raw_stream)

    def device_name(self, device: Any) -> str:
        name = self._devices.get(device)
        if name is None:
            if device.type not in ("cpu", "cuda"):
                raise UsageError(f"the tensor is on {device}; redtune reduces on CPUs and on GPUs of CUDA and HIP")
            index = 0 if device.index is None else device.index
            name = HOST if device.type == "cpu" else f"{self.platform}:{index}"
            self._devices[device] = name
            self._indices[name] = index
        return name

    def view(self, x: Any) -> View:
        torch = self.torch
        if x.layout is not torch.strided:
            raise UsageError(f"the tensor is {x.layout}; redtune reduces strided ones: x.to_dense() makes one")
        if x.is_neg():
            raise UsageError("the tensor is a negated view: x.resolve_neg() makes a copy that can be reduced")
        name = self._names.get(x.dtype) or long_name(x.dtype)
        return View(x.data_ptr(), name, x.shape, x.stride(), self.device_name(x.device))

    def look(self, x: Any) -> Tuple[Any, int, Any]:
        try:
            return (x.dtype, x.shape, x.stride(), x.device, x.is_neg()), x.data_ptr(), None
        except RuntimeError:
            self.view(x)  # which says why
            raise

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        return self.torch.empty(shape, dtype=self._types[dtype], device=x.device)

    def offsets_of(self, lengths: Any) -> Any:
        return self.torch.nn.functional.pad(lengths.cumsum(0, dtype=self.torch.int64), (1, 0))

    def like(self, shape: Extents, dtype: str, x: Any) -> Any:
        tensor = self.empty(shape, dtype, x)
        getattr(tensor, "untyped_storage", tensor.storage)().resize_(0)
        return tensor

    def reinterpreted(self, array: Any, dtype: str) -> Any:
        return array.view(getattr(self.torch, dtype))

    def permuted(self, array: Any, order: Extents) -> Any:
        return array.permute(order)

    def fill_in(self, out: Any, values: Any) -> None:
        out.copy_(values)

    def has_type(self, dtype: str) -> bool:
        return hasattr(self.torch, dtype)

    def address(self, array: Any) -> int:
        return array.data_ptr()

    def stream(self, device: str) -> int:
        if device == HOST:
            return 0
        index = self._index_of(device)
        if self._raw_stream is not None:
            return self._raw_stream(index) or DEFAULT_STREAM
        return self.torch.cuda.current_stream(index).cuda_stream or DEFAULT_STREAM

    def _index_of(self, device: str) -> int:
        index = self._indices.get(device)
        if index is None:  # no tensor was there yet
            index = self._indices[device] = number_of(device)
        return index

    def within(self, handle: int, device: str) -> Any:
        if device == HOST:
            return contextlib.nullcontext()
        cuda, number = self.torch.cuda, self._index_of(device)
        if handle == DEFAULT_STREAM:
            return cuda.stream(cuda.default_stream(number))
        return cuda.stream(cuda.ExternalStream(handle, device=number))

    def is_capturing(self, device: str) -> bool:
        if device == HOST:
            return False
        cuda, index = self.torch.cuda, self._index_of(device)
        if cuda.current_device() == index:
            return cuda.is_current_stream_capturing()
        with cuda.device(index):
            return cuda.is_current_stream_capturing()

    def tracks_gradients(self) -> bool:
        return self.torch.is_grad_enabled()

    def wrote(self, out: Any) -> None:
        if not out.is_inference():
            self._new_version(out)


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


_MAKERS = {"numpy": NumPy, "cupy": CuPy, "torch": Torch, "foreign": Foreign}
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
