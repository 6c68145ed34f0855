# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Kernels of one's own, described by comments in their files."""

from __future__ import annotations

import struct
from typing import Any, Dict, List, Optional, Tuple

from . import _plan, _reducer, _redtune
from ._arrays import stream_handle
from ._libraries import library_of
from ._problems import Answer, answer_of
from ._redtune import UsageError

#: Of struct, for each type of a number; 16-bit floats are given by their bits but for f16.
_FORMATS = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H",
            "u32": "I", "u64": "Q"}


def _packed(name: str, dtype: str, value: Any) -> bytes:
    """The bytes of a number's value, padded to a word."""
    base, _, lanes = dtype.partition("x")
    try:
        if base == "bf16":
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            packed = struct.pack("<H", (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)
        elif lanes:
            packed = struct.pack(f"<{int(lanes)}{_FORMATS[base]}", *value)
        else:
            packed = struct.pack("<" + _FORMATS[base], value)
    except (struct.error, TypeError, OverflowError) as wrong:
        raise UsageError(f"argument {name} is a number of type {dtype}, and {value!r} is none: {wrong}") from None
    return packed.ljust(8, b"\0")


class Kernel:
    """A kernel that a file describes, launched with the best configuration that is known for its sizes. Never tunes:
    tune(file=...) does.

    k = Kernel("row_sum.hip.cpp"); k.launch(out, x, 1000, rows=64, n=1000): arguments in the order of the file, arrays and
    numbers, and the sizes by name.
    """

    def __init__(self, file: str, *, device: Any = None, cache_mode: Optional[str] = None, **options: Any):
        self.file = file
        self._make_from = (str(file), cache_mode, _plan.options_of(_reducer._device_text(device), options))
        self._constants: Dict[str, bytes] = {}
        self._make()

    def _make(self) -> None:
        self._handle = _redtune.kernel_create(*self._make_from)
        self._of = _plan.shared
        device, sizes, arguments = _redtune.kernel_describe(self._handle)
        self.device: str = device
        self.size_names: Tuple[str, ...] = tuple(sizes)
        self.arguments: Tuple[Tuple[str, str], ...] = tuple(arguments)
        for name, value in self._constants.items():
            _redtune.kernel_set_constant(self._handle, name, value)

    def _ready(self) -> Any:
        if self._of is not _plan.shared:  # in the child of a fork
            self._make()
        return self._handle

    def _sizes(self, sizes: Dict[str, int]) -> Tuple[int, ...]:
        for name in sizes:
            if name not in self.size_names:
                raise UsageError(f"{self.file} has no size {name}; its sizes are {', '.join(self.size_names) or 'none'}")
        missing = [name for name in self.size_names if name not in sizes]
        if missing:
            raise UsageError(f"{self.file}: its size {missing[0]} was not given: {missing[0]}=N")
        return tuple(int(sizes[name]) for name in self.size_names)

    def prepare(self, **sizes: int) -> "Kernel":
        """Looks up what is best for these sizes, and loads it, or compiles it."""
        _redtune.kernel_prepare(self._ready(), self._sizes(sizes))
        return self

    def launch(self, *arguments: Any, stream: Any = None, **sizes: int) -> None:
        """Queues the kernel on the current stream of the first array's library, where no other is given."""
        if len(arguments) != len(self.arguments):
            names = ", ".join(name for name, _ in self.arguments)
            raise UsageError(f"{self.file} takes {len(self.arguments)} arguments, {names}; {len(arguments)} were given")
        values: List[bytes] = []
        keeps: List[Any] = []
        for (name, dtype), value in zip(self.arguments, arguments):
            if dtype != "buffer":
                values.append(_packed(name, dtype, value))
                continue
            library = library_of(value)
            view = library.view(value)
            if view.device != self.device:
                raise UsageError(f"argument {name} is on {view.device}, and the kernel on {self.device}")
            if stream is None:
                stream = library.stream(view.device)
            keeps.append(view)
            values.append(struct.pack("<Q", view.address))
        _redtune.kernel_launch(self._ready(), self._sizes(sizes), tuple(values), stream_handle(0 if stream is None else stream))

    def set_constant(self, name: str, value: Any) -> None:
        """Copies host memory to a variable in constant memory: an array, or bytes."""
        data = bytes(memoryview(value).cast("B"))
        _redtune.kernel_set_constant(self._ready(), name, data)
        self._constants[name] = data

    def answer(self, **sizes: int) -> Answer:
        """What these sizes are launched with, or would be."""
        return answer_of(_redtune.kernel_answer(self._ready(), self._sizes(sizes)))

    def elements(self, buffer: str, **sizes: int) -> int:
        """Elements of a buffer of the description: that of scratch may depend on tunables. Prepares the sizes."""
        return _redtune.kernel_elements(self._ready(), self._sizes(sizes), buffer)

    def synchronize(self, stream: Any = 0) -> None:
        """Waits for a stream. Raises DeviceError for faults of earlier launches."""
        _redtune.kernel_synchronize(self._ready(), stream_handle(stream))

    def __repr__(self) -> str:
        return f"redtune.Kernel({self.file!r})"
