# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Arrays of all libraries: where they lie, and results made by the library that they are of.

A library is one class with the few things that differ. Whatever is none of them is read by DLPack or
an array interface, and its results are of the library that owns the memory's kind: NumPy on the host.
"""

from __future__ import annotations

import contextlib
import re
import sys
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _redtune
from ._redtune import UsageError
from ._types import LONG, SHORT, TYPES, dlpack_long_name, long_name

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


def _elements(strides: Optional[Extents], size: int, shape: Extents) -> Optional[Extents]:
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
        return View(address, dtype.name, shape, _elements(interface["strides"], dtype.itemsize, shape), HOST, None,
                    is_read_only)

    def look(self, x: Any) -> Tuple[Any, int, Any]:
        address, is_read_only = x.__array_interface__["data"]
        return (x.dtype, x.shape, x.strides, is_read_only), address, None

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        return self.numpy.empty(shape, dtype)

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
        return View(x.data.ptr, x.dtype.name, x.shape, _elements(x.strides, itemsize, x.shape),
                    f"{self.platform}:{x.device.id}")

    def look(self, x: Any) -> Tuple[Any, int, Any]:
        data = x.data
        return (x.dtype, x.shape, x.strides, data.device_id), data.ptr, None

    def empty(self, shape: Extents, dtype: str, x: Any) -> Any:
        with x.device:
            return self.cupy.empty(shape, dtype)

    def reinterpreted(self, array: Any, dtype: str) -> Any:
        return array.view(dtype)

    def has_type(self, dtype: str) -> bool:
        return dtype == "bool" or hasattr(self.cupy, dtype)

    def address(self, array: Any) -> int:
        return array.data.ptr

    def stream(self, device: str) -> int:
        return self._current(device).ptr or DEFAULT_STREAM

    def _current(self, device: str) -> Any:
        with self.cupy.cuda.Device(int(device.partition(":")[2])):
            return self.cupy.cuda.get_current_stream()

    @contextlib.contextmanager
    def within(self, handle: int, device: str) -> Any:
        cuda, number = self.cupy.cuda, int(device.partition(":")[2])
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
                except TypeError:
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
            index = self._indices[device] = int(device.partition(":")[2])
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


def _view_of_dlpack(x: Any, stream_of: Any) -> View:
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


def _view_of_interface(x: Any, interface: Dict[str, Any], device: str) -> View:
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
    return View(address or 0, name, shape, _elements(interface.get("strides"), size, shape), device, None,
                bool(is_read_only), False, None if device == HOST else interface.get("stream"))


class Foreign(Library):
    """Of a library that is none of the above."""
    name = "another library"

    def view(self, x: Any, stream: Optional[int] = None) -> View:
        if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
            return _view_of_dlpack(x, self.stream if stream is None else lambda device: stream)
        interface = getattr(x, "__cuda_array_interface__", None)
        if interface is not None:
            return _view_of_interface(x, interface, "cuda:0" if not hasattr(x, "device_id") else f"cuda:{x.device_id}")
        interface = getattr(x, "__array_interface__", None)
        if interface is not None:
            return _view_of_interface(x, interface, HOST)
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
