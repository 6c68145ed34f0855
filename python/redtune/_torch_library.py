# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Tensors of torch: how they are looked at, in Python and by the extension module, and made."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Dict, Tuple

from . import _redtune
from ._arrays import DEFAULT_STREAM, HOST, Extents, View, number_of
from ._libraries import Library
from ._redtune import UsageError
from ._types import LONG, long_name


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
