# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""What the tests of the package share: arrays of libraries that are not here, and what NumPy gives."""

import ctypes
import os

import numpy

FULL = os.environ.get("REDTUNE_TEST_FULL") == "1"


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("extents", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("destroy", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("destroy", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

CODES = {"i": 0, "u": 1, "f": 2, "b": 6, "bf": 4}


class Exporter:
    """An array of nobody's library, that DLPack alone tells of. version: 0 or 1 of DLPack, which is given
    only where it is asked for."""

    def __init__(self, array, code=None, version=0, with_strides=True, offset=0, device=(1, 0), flags=0):
        self.array = array
        rank = array.ndim
        item = array.itemsize
        self._extents = (ctypes.c_int64 * max(rank, 1))(*array.shape)
        self._strides = (ctypes.c_int64 * max(rank, 1))(*(stride // item for stride in array.strides))
        self._device = device
        self._version = version
        tensor = _Tensor(array.ctypes.data - offset, device[0], device[1], rank, CODES[code or array.dtype.kind], 8 * item,
                         1, self._extents, self._strides if with_strides else None, offset)
        self._versioned, self._managed = _Versioned(1, 0, None, None, flags, tensor), _Managed(tensor, None, None)
        self.asked = []

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, **options):
        if not self._version and set(options) - {"stream"}:
            raise TypeError("__dlpack__() got an unexpected keyword argument")
        self.asked.append(options)
        if options.get("max_version", (0, 0))[0] == 0:
            return _new_capsule(ctypes.addressof(self._managed), b"dltensor", None)
        return _new_capsule(ctypes.addressof(self._versioned), b"dltensor_versioned", None)


def bf16(values):
    """The bits of 16-bit floats as torch has them, rounded to nearest even."""
    bits = numpy.asarray(values, numpy.float32).view(numpy.uint32).astype(numpy.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def from_bf16(bits):
    return (numpy.asarray(bits, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)


def _variance(x, axis, keepdims, ddof):
    y = x.astype(numpy.float64)
    return y.mean(axis=axis, keepdims=keepdims), y.var(axis=axis, keepdims=keepdims, ddof=ddof)


def _stats(x, axis, keepdims):
    y = x.astype(numpy.float64)
    most = y.max(axis=axis, keepdims=True)
    total = numpy.exp(y - most).sum(axis=axis, keepdims=keepdims)
    return y.max(axis=axis, keepdims=keepdims), total


def _wide(x):
    return x.astype(numpy.float64) if x.dtype.kind == "f" else x


def _sum(x, axis, keepdims):
    return _wide(x).sum(axis=axis, keepdims=keepdims)


def _norm(x, axis, keepdims):
    return numpy.sqrt((x.astype(numpy.float64) ** 2).sum(axis=axis, keepdims=keepdims))


def _square(x):
    return _wide(x) ** 2 if x.dtype.kind == "f" else x.astype(numpy.int64 if x.dtype.kind == "i" else numpy.uint64) ** 2


def _of(function):
    return lambda x, axis, keepdims: function(x, axis=axis, keepdims=keepdims)


#: What each operator of the library gives: (x, axis, keepdims).
EXPECTED = {
    "sum": _sum,
    "product": lambda x, axis, keepdims: _wide(x).prod(axis=axis, keepdims=keepdims),
    "min": _of(numpy.min), "max": _of(numpy.max),
    "min_ignore_nan": _of(numpy.nanmin), "max_ignore_nan": _of(numpy.nanmax),
    "argmin": _of(numpy.argmin), "argmax": _of(numpy.argmax),
    "argmin_ignore_nan": _of(numpy.nanargmin), "argmax_ignore_nan": _of(numpy.nanargmax),
    "bit_and": _of(numpy.bitwise_and.reduce), "bit_or": _of(numpy.bitwise_or.reduce),
    "bit_xor": _of(numpy.bitwise_xor.reduce),
    "all": _of(numpy.all), "any": _of(numpy.any),
    "count_nonzero": lambda x, axis, keepdims: (x != 0).sum(axis=axis, keepdims=keepdims),
    "mean": lambda x, axis, keepdims: x.mean(axis=axis, keepdims=keepdims, dtype=numpy.float64),
    "sum_of_squares": lambda x, axis, keepdims: _square(x).sum(axis=axis, keepdims=keepdims),
    "l2_norm": _norm,
    "abs_max": lambda x, axis, keepdims: numpy.abs(x.astype(numpy.float64)).max(axis=axis, keepdims=keepdims),
    "min_max": lambda x, axis, keepdims: (x.min(axis=axis, keepdims=keepdims), x.max(axis=axis, keepdims=keepdims)),
    "mean_variance": lambda x, axis, keepdims: _variance(x, axis, keepdims, 0),
    "mean_sample_variance": lambda x, axis, keepdims: _variance(x, axis, keepdims, 1),
    "softmax_stats": _stats,
    "logsumexp": lambda x, axis, keepdims: numpy.log(_stats(x, axis, keepdims)[1]) + _stats(x, axis, keepdims)[0],
}


def some(dtype, shape, seed=0):
    """Numbers of a type: small ones, each of which may be the least or the greatest."""
    random = numpy.random.default_rng(seed)
    kind = numpy.dtype(dtype).kind
    if kind == "f":
        return random.uniform(-2, 2, shape).astype(dtype)
    if kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    return random.integers(-9 if kind == "i" else 0, 10, shape).astype(dtype)


def is_near(found, expected, dtype):
    """Exact of integers; of floats within what their type rounds."""
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    if found.shape != expected.shape:
        return False
    if found.dtype.kind != "f":
        return bool((found == expected.astype(found.dtype)).all())
    tolerance = {2: 4e-3, 4: 2e-5, 8: 1e-12}[min(found.itemsize, numpy.dtype(dtype).itemsize if
                                                 numpy.dtype(dtype).kind == "f" else 8)]
    return bool(numpy.allclose(found.astype(numpy.float64), expected, rtol=tolerance, atol=tolerance, equal_nan=True))
