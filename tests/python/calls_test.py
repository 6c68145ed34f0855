# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Calls with tensors of torch that were made before, which the extension module does alone: as torch 2.10 lets it read
tensors, by DLPack's functions in C, and as older ones do, by attributes. Skipped without torch."""

import concurrent.futures
import ctypes
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

try:
    import torch
except ImportError:
    print("skipped: needs torch")
    sys.exit(77)

from arrays import FULL

import redtune
from redtune import _libraries, _reducer, _redtune, _torch_library


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("rank", ctypes.c_int32), ("type", Type),
                ("extents", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Exchange(ctypes.Structure):
    """DLPack's functions, as far as they are called."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("older", ctypes.c_void_p),
                *((name, ctypes.c_void_p) for name in ("allocate", "managed_of", "object_of")),
                ("tensor_of", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))),
                ("current_stream", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32,
                                                     ctypes.POINTER(ctypes.c_void_p)))]


def code_of(dtype):
    if dtype is torch.bool:
        return 6
    if dtype is torch.bfloat16:
        return 4
    return 2 if dtype.is_floating_point else 1 if dtype is torch.uint8 else 0


class FakeExchange:
    """What torch 2.10 has, made of what older ones have."""

    def __init__(self, major=1, older=None):
        self.looks = 0
        fields = dict(Exchange._fields_)
        self.functions = fields["tensor_of"](self.tensor_of), fields["current_stream"](lambda *rest: 0)
        self.table = Exchange(major, 3, older, None, None, None, *self.functions)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.table), b"dlpack_exchange_api", None)
        self.kept = []

    def tensor_of(self, x, out):
        self.looks += 1
        if x.device.type != "cpu":
            return -1
        try:
            numbers = (ctypes.c_int64 * 16)(*x.shape, *[0] * (8 - x.dim()), *x.stride())
            self.kept = [*self.kept[-7:], numbers]
            out[0] = Tensor(x.data_ptr(), Device(1, 0), x.dim(), Type(code_of(x.dtype), 8 * x.element_size(), 1),
                            ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64)),
                            ctypes.cast(ctypes.byref(numbers, 64), ctypes.POINTER(ctypes.c_int64)), 0)
        except RuntimeError:
            return -1
        return 0


def without_python():
    """Fails where a call is left to Python."""
    return unittest.mock.patch.multiple(_reducer, reduce=None, called=None)


class ByAttributes(unittest.TestCase):
    CALLS = 100_000

    def setUp(self):
        torch.manual_seed(1)
        self.x = torch.rand(6, 40) * 2 - 1
        self.learn(None)

    def tearDown(self):
        _libraries.library_named("torch")._tell_module()

    def learn(self, capsule):
        with unittest.mock.patch.object(_torch_library, "_exchange_of", lambda torch: capsule):
            _libraries.library_named("torch")._tell_module()

    def test_are_what_torch_gives(self):
        compared = 0
        for dtype in (torch.float32, torch.float64, torch.float16, torch.int32, torch.uint8, torch.bool):
            x = (self.x * 3).to(dtype)
            for given in (x, x.t(), x[:, 3:17], x.reshape(2, 3, 40), x.reshape(-1)[0]):
                for options in ({}, {"dim": 0}, {"dim": -1, "keepdim": True}, {"dim": (0, -1)}):
                    try:
                        expected = redtune.sum(given, **options)
                    except redtune.UsageError:  # what is no array of the library's
                        continue
                    with self.subTest(dtype=dtype, shape=given.shape, **options):
                        found = redtune.sum(given, **options)
                        self.assertTrue(torch.equal(found, expected))
                        theirs = given.double().sum(**options)
                        self.assertTrue(torch.allclose(found.double(), theirs, atol=2e-1 if dtype is torch.float16 else 1e-4))
                        self.assertEqual((found.shape, found.dtype), (expected.shape, expected.dtype))
                        compared += 1
        self.assertGreaterEqual(compared, 6 * 3 * 4)

    def test_need_no_python(self):
        out = torch.empty(6)
        reducer = redtune.Reducer("sum", torch.float32, self.x.shape, 1, device="host").prepare()
        calls = (lambda: redtune.sum(self.x, 1), lambda: redtune.sum(self.x, dim=1, out=out), lambda: redtune.mean(self.x, (0, 1)),
                 lambda: redtune.amax(self.x, 0, True), lambda: redtune.sum(self.x, 1, dtype=torch.float64),
                 lambda: redtune.prod(self.x, order="any"), lambda: reducer(self.x), lambda: reducer(self.x, out=out),
                 lambda: reducer(self.x, out))
        expected = [call().clone() for call in calls]
        with without_python():
            for number, call in enumerate(calls):
                with self.subTest(call=number):
                    out.zero_()
                    self.assertTrue(torch.equal(call(), expected[number]))
                    self.x.requires_grad_()
                    with torch.no_grad():
                        self.assertTrue(torch.equal(call(), expected[number]))
                    self.x.requires_grad_(False)
        self.assertIs(redtune.sum(self.x, 1, out=out), out)

    def test_are_told_apart(self):
        redtune.sum(self.x, 1)
        for call in (lambda: redtune.sum(self.x, 0), lambda: redtune.sum(self.x, 1, True), lambda: redtune.sum(self.x[:5], 1),
                     lambda: redtune.sum(self.x, 1, dtype=torch.float64), lambda: redtune.sum(self.x.double(), 1),
                     lambda: redtune.sum(self.x.reshape(40, 6), 1), lambda: redtune.sum(self.x, True),
                     lambda: redtune.sum(self.x.reshape(40, 6).t(), 1), lambda: redtune.sum(self.x, 1, order="any"),
                     lambda: redtune.mean(self.x, 1), lambda: redtune.sum(self.x.t(), 1)):
            with without_python(), self.assertRaises(TypeError):
                call()

    def test_of_one_shape_are_told_apart_by_strides(self):
        for _ in range(2):
            for width in range(40, 140):
                x = torch.arange(6.0 * width).reshape(6, width)[:, :40]
                self.assertEqual(redtune.sum(x, 1).tolist(), x.sum(1).tolist())

    def test_with_a_gradient_have_one(self):
        redtune.sum(self.x, 1)
        reducer = redtune.Reducer("sum", torch.float32, self.x.shape, 1, device="host")
        reducer(self.x)
        self.x.requires_grad_()
        for call in (lambda: redtune.sum(self.x, 1), lambda: reducer(self.x)):
            self.x.grad = None
            call().sum().backward()
            self.assertTrue(torch.equal(self.x.grad, torch.ones_like(self.x)))
        with torch.no_grad():
            self.assertFalse(redtune.sum(self.x, 1).requires_grad)

    def test_refuse_what_they_refused_before(self):
        out = torch.empty(6)
        redtune.sum(self.x, 1, out=out)
        for wrong, text in ((torch.empty(5), "of shape"), (torch.empty(6).double(), "out is of float64"),
                            (torch.empty(12)[::2], "one behind the other"), (self.x[:, 0].clone().requires_grad_(), "gradient"),
                            (self.x.reshape(-1)[3:9], "where the array lies"), (torch.empty(6, device="meta"), "meta"),
                            (torch.zeros(6, dtype=torch.complex64).conj().imag, "resolve_neg"), (torch.empty(1, 6), "of shape")):
            with self.subTest(text=text), self.assertRaisesRegex((redtune.UsageError, TypeError), text):
                redtune.sum(self.x, 1, out=wrong)
        x = torch.zeros(6, 40, 2)
        redtune.sum(x[:, :, 1], 1)
        with self.assertRaisesRegex(redtune.UsageError, "resolve_neg"):
            redtune.sum(torch.view_as_complex(x).conj().imag, 1)
        odd = torch.frombuffer(bytearray(16 + 6 * 160 + 1), dtype=torch.uint8)
        odd = odd[1 - odd.data_ptr() % 4:][:6 * 160]
        with self.assertRaisesRegex(Exception, "multiple of 4 bytes|must be divisible by 4"):
            redtune.sum(odd.view(torch.float32).view(6, 40), 1)

    def test_of_subclasses_are_left_to_python(self):
        class Mine(torch.Tensor):
            pass

        redtune.sum(self.x, 1)
        calls = redtune._functions._calls["sum"]
        self.assertIsNotNone(_redtune.call(calls, self.x, None, 1, False, None, None))
        self.assertIsNone(_redtune.call(calls, self.x.as_subclass(Mine), None, 1, False, None, None))
        self.assertIsNone(_redtune.call(calls, self.x, torch.empty(6).as_subclass(Mine), 1, False, None, None))
        self.assertTrue(torch.allclose(redtune.sum(self.x.as_subclass(Mine), 1), self.x.sum(1), atol=1e-5))

    def test_that_write_are_counted(self):
        out = torch.ones(6)
        redtune.sum(self.x, 1, out=out)
        with without_python():
            weight = torch.ones(6, requires_grad=True)
            product = (weight * out).sum()
            redtune.sum(self.x, 1, out=out)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                product.backward()
            with torch.inference_mode():
                out = torch.empty(6)
            self.assertIs(redtune.sum(self.x, 1, out=out), out)

    def test_give_tensors_that_are_torchs_own(self):
        for _ in range(3):
            found = redtune.sum(self.x, 1)
            found.resize_(100).fill_(1)
            self.assertEqual(found.sum(), 100)
        redtune.sum(self.x, 0, dtype=torch.float64)
        with torch.inference_mode():
            self.assertTrue(redtune.sum(self.x, 1).is_inference())
        self.assertFalse(redtune.sum(self.x, 1).is_inference())

    def test_of_many_shapes_and_threads_are_right(self):
        tensors = [torch.full((3, length), 1.0) for length in range(1, 200)]
        def reduce(_):
            return [redtune.sum(x, 1).tolist() for _ in range(3) for x in tensors]

        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            for found in threads.map(reduce, range(4)):
                self.assertEqual(found, [[x.shape[1]] * 3 for x in tensors] * 3)

    def test_begin_again_in_a_fork(self):
        expected = redtune.sum(self.x, 1)
        child = os.fork()
        if child == 0:
            right = torch.equal(redtune.sum(self.x, 1), expected) and torch.equal(redtune.sum(self.x, 1), expected)
            os._exit(7 if right else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
        self.assertTrue(torch.equal(redtune.sum(self.x, 1), expected))

    def test_leave_nothing_behind(self):
        out = torch.empty(6)
        reducer = redtune.Reducer("sum", torch.float32, self.x.shape, 1, device="host").prepare()
        kept = [torch.ones(3, length) for length in range(1, 100)]

        def call(times):
            for number in range(times):
                reducer(self.x, out=out)
                redtune.sum(self.x, 1)
                redtune.sum(self.x, 1, out=out)
                redtune.sum(self.x, 1, out=torch.empty(6))
                redtune.max(kept[number % 99], 1)
                try:
                    redtune.sum(self.x, 1, out=kept[0])
                except redtune.UsageError:
                    pass

        call(1000)
        gc.collect()
        before, blocks = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.getallocatedblocks()
        call(self.CALLS if FULL else 5_000)
        gc.collect()
        self.assertLess(sys.getallocatedblocks() - blocks, 500)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)


class ByFunctionsInC(ByAttributes):
    CALLS = 20_000  # each of these functions is one of ctypes

    def setUp(self):
        super().setUp()
        self.exchange = FakeExchange()
        self.learn(self.exchange.capsule)

    def test_read_a_tensor_where_it_lies(self):
        before = self.exchange.looks
        self.assertEqual(_redtune.read_tensor(self.x[2:, 3:]), self.x[2:, 3:].data_ptr())
        self.assertEqual(self.exchange.looks, before + 1)

    def test_are_of_a_known_version(self):
        newer = FakeExchange(2, ctypes.addressof(self.exchange.table))
        self.learn(newer.capsule)
        before = self.exchange.looks
        self.assertEqual(_redtune.read_tensor(self.x), self.x.data_ptr())
        self.assertEqual((newer.looks, self.exchange.looks), (0, before + 1))
        self.learn(FakeExchange(2).capsule)
        self.assertEqual(_redtune.read_tensor(self.x), self.x.data_ptr())
        self.assertEqual(self.exchange.looks, before + 1)

    @unittest.skipIf(hasattr(torch._C, "_dlpack_exchange_api"), "torch has them")
    def test_are_those_of_torch_itself(self):
        with unittest.mock.patch.object(torch.Tensor, "__dlpack_c_exchange_api__", self.exchange.capsule, create=True):
            self.assertIsNone(_torch_library._exchange_of(torch))
            with unittest.mock.patch.object(torch, "__version__", "2.10.0a0"):
                self.assertIs(_torch_library._exchange_of(torch), self.exchange.capsule)


class Benchmarks(unittest.TestCase):
    """That they run, on the processor."""
    FOLDER = Path(__file__).resolve().parents[2] / "bench"

    def result_of(self, script, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "result.json")
            done = subprocess.run([sys.executable, "-B", self.FOLDER / script, "--device", "cpu", *arguments, "--json", file],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout, json.loads(file.read_text(encoding="utf-8"))

    def test_of_rows_compares_what_is_the_same(self):
        said, result = self.result_of("python_rows.py", "--totals", "2^10,2^12", "--lengths", "4,100", "--rounds", "3")
        self.assertEqual([(cell["rows"], cell["length"], cell["is_right"]) for cell in result["cells"]],
                         [(256, 4, True), (10, 100, True), (1024, 4, True), (40, 100, True)])
        gains = [cell["calls"]["gain"] for cell in result["cells"]]
        self.assertAlmostEqual(result["means"]["1024"]["calls"], (gains[0] * gains[1]) ** 0.5)
        self.assertIn("1024x[4]", said)

    def test_of_calls_tells_their_parts(self):
        said, result = self.result_of("python_calls.py", "--calls", "200")
        self.assertLess(result["us"]["read a tensor"], result["us"]["redtune.sum"])
        self.assertIn("torch.empty_like", said)


if __name__ == "__main__":
    unittest.main()
