# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Tensors of torch, and arrays of CuPy, on a GPU: streams, graphs, torch.compile. Skipped where there is none. What takes longest
comes last; each test tells its time."""

import concurrent.futures
import os
import sys
import time
import unittest
import unittest.mock

try:
    import torch
except ImportError:
    print("skipped: needs torch")
    sys.exit(77)
if not torch.cuda.is_available():
    print("skipped: needs a GPU that torch can use")
    sys.exit(77)
try:
    import cupy
except ImportError:
    cupy = None

import redtune
from redtune import _reducer, _redtune

BOTH = (("sum", torch.sum), ("prod", torch.prod), ("amin", torch.amin), ("amax", torch.amax), ("argmin", torch.argmin),
        ("argmax", torch.argmax), ("mean", torch.mean), ("logsumexp", torch.logsumexp), ("count_nonzero", torch.count_nonzero),
        ("l2_norm", torch.linalg.vector_norm))
OF_OTHER_TYPES = ("sum", "amax", "argmax", "mean")
#: Operator, torch's function, type, axis: every operator, every axis of one type, and some of the others.
CASES = [(name, theirs, dtype, dim) for name, theirs in BOTH for dtype in (torch.float32, torch.float64, torch.bfloat16)
         for dim in (0, 1) if dtype is torch.float32 or (name in OF_OTHER_TYPES and dim == 1)]


class OnAGpu(unittest.TestCase):
    def setUp(self):
        self.began = time.perf_counter()
        torch.manual_seed(1)
        self.x = torch.rand(257, 1000, device="cuda") * 2 - 1

    def tearDown(self):
        torch.cuda.synchronize()
        print(f"{time.perf_counter() - self.began:6.1f} s  {self._testMethodName}", file=sys.stderr, flush=True)

    def test_results_are_torchs(self):
        of_types = {dtype: self.x[:, :20].contiguous().to(dtype) for _, _, dtype, _ in CASES}
        with concurrent.futures.ThreadPoolExecutor(min(os.cpu_count() or 1, 16)) as compilers:  # which wait for the compiler most of the time
            list(compilers.map(lambda case: getattr(redtune, case[0])(of_types[case[2]], case[3]), CASES))
        for name, theirs, dtype, dim in CASES:
            for times in (1, 2):  # the second time as it was kept
                with self.subTest(op=name, dtype=dtype, dim=dim, times=times):
                    found, expected = getattr(redtune, name)(of_types[dtype], dim), theirs(of_types[dtype], dim=dim)
                    self.assertEqual((found.device, found.shape, found.dtype),
                                     (expected.device, expected.shape, expected.dtype))
                    near = 2e-2 if dtype is torch.bfloat16 else 1e-4
                    self.assertTrue(torch.allclose(found.double(), expected.double(), rtol=near, atol=near))

    def test_the_current_stream_is_used(self):
        stream = torch.cuda.Stream()
        x = torch.zeros(1 << 20, device="cuda")
        redtune.sum(x[:1 << 19])
        for ones in (1, 2, 3):  # first by Python, then as it was kept
            torch.cuda.synchronize()
            with torch.cuda.stream(stream):
                torch.cuda._sleep(200_000_000)  # on any other stream the sum would come before the ones
                x.fill_(ones)
                total = redtune.sum(x)
            stream.synchronize()
            self.assertEqual(total.item(), ones << 20)
        with torch.cuda.stream(stream):
            torch.cuda._sleep(200_000_000)
            x.fill_(4)
        total = redtune.sum(x, stream=stream)
        stream.synchronize()
        self.assertEqual(total.item(), 4 << 20)

    def test_calls_that_were_made_before_need_no_python(self):
        reducer = redtune.Reducer("sum", self.x.dtype, shape=self.x.shape, dim=1).prepare()
        out = torch.empty(257, device="cuda")
        expected, stream = self.x.sum(1), torch.cuda.Stream()
        calls = (lambda: redtune.sum(self.x, 1), lambda: redtune.sum(self.x, 1, out=out), lambda: reducer(self.x),
                 lambda: reducer(self.x, out=out))
        for call in calls:
            call()
        torch.cuda.synchronize()
        with unittest.mock.patch.multiple(_reducer, reduce=None, called=None):
            for call in calls:
                for current in (torch.cuda.current_stream(), stream):
                    out.zero_()
                    torch.cuda.synchronize()
                    with torch.cuda.stream(current):
                        found = call()
                    current.synchronize()
                    self.assertTrue(torch.allclose(found, expected, atol=1e-3))
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                found = redtune.sum(self.x, 1)
                reducer(self.x, out=out)
        for _ in range(2):
            self.x.mul_(2)
            out.zero_()
            graph.replay()
            torch.cuda.synchronize()
            self.assertTrue(torch.allclose(found, out, atol=1e-2) and torch.allclose(out, self.x.sum(1), atol=1e-2))

    def test_results_are_of_torchs_allocator(self):
        redtune.sum(self.x, 1)
        stream = torch.cuda.Stream()
        for _ in range(2):
            found = redtune.sum(self.x, 1)
            torch.cuda.synchronize()
            with torch.cuda.stream(stream):
                torch.cuda._sleep(200_000_000)
                found.record_stream(stream)
            address = found.data_ptr()
            del found  # its memory is used by the stream, and given to nobody yet
            self.assertNotEqual(redtune.sum(self.x, 1).data_ptr(), address)
            torch.cuda.synchronize()

    def test_what_is_read_of_a_tensor_is_what_it_is(self):
        self.assertEqual(_redtune.read_tensor(self.x[3:, 5:]), self.x[3:, 5:].data_ptr())
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            self.assertEqual(_redtune.stream_of_tensor(self.x, 0), stream.cuda_stream)
        self.assertEqual(_redtune.stream_of_tensor(self.x, 0), 1)

    def test_calls_on_the_default_stream_come_one_after_the_other(self):
        x = torch.rand(1 << 12, 1 << 15, device="cuda")
        sums = x.sum(1)
        redtune.max(redtune.sum(x, 1))
        self.assertEqual(torch.cuda.current_stream().cuda_stream, 0)
        for i in range(100):
            x.fill_(i)  # torch's, then two of redtune, then torch's
            found = redtune.max(redtune.sum(x, 1)) + 1
            self.assertEqual(found.item(), i * float(1 << 15) + 1)
        for i in range(100):
            x.fill_(i)
            sums.zero_()
            redtune.sum(x, 1, out=sums)
            self.assertEqual(redtune.max(sums).item(), redtune.max(x.sum(1)).item())

    def test_graphs_are_captured_and_replayed(self):
        reducer = redtune.Reducer("sum", self.x.dtype, shape=self.x.shape, dim=1).prepare()
        out = torch.empty(257, device="cuda")
        reducer(self.x, out=out)
        expected = redtune.max(self.x, 1).clone()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            reducer(self.x, out=out)
            largest = redtune.max(self.x, 1)
        out.zero_()
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(torch.allclose(out, self.x.sum(1), atol=1e-3) and torch.equal(largest, expected))
        self.x.mul_(2)
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(torch.allclose(out, self.x.sum(1), atol=1e-3) and torch.equal(largest, 2 * expected))

    def test_nothing_is_compiled_while_a_graph_is_captured(self):
        graph = torch.cuda.CUDAGraph()
        x = self.x.to(torch.int16)
        with self.assertRaisesRegex(redtune.UsageError, "nothing is compiled while a graph is captured"):
            with torch.cuda.graph(graph):
                redtune.bit_xor(x, 1)

    def test_arrays_of_other_devices_are_refused(self):
        with self.assertRaisesRegex(redtune.UsageError, "out is on host, and the array on"):
            redtune.sum(self.x, 1, out=torch.empty(257))
        with self.assertRaisesRegex(redtune.UsageError, "this Reducer is on host"):
            redtune.Reducer("sum", "f32", device="host")(self.x)

    @unittest.skipUnless(cupy, "needs CuPy")
    def test_cupy(self):
        x = cupy.asarray(self.x)
        stream = cupy.cuda.Stream(non_blocking=True)
        torch.cuda.synchronize()
        with stream:
            found = redtune.sum(x, 1)
            largest, indices = redtune.max_argmax(x, 1)
        stream.synchronize()
        self.assertIsInstance(found, cupy.ndarray)
        self.assertTrue(cupy.allclose(found, x.sum(1), atol=1e-3))
        self.assertTrue((largest == x.max(1)).all() and (indices == x.argmax(1)).all())

    @unittest.skipUnless(cupy, "needs CuPy")
    def test_more_streams_than_have_memory_are_served(self):
        x = cupy.asarray(self.x)
        redtune.sum(x)
        torch.cuda.synchronize()
        expected, streams = float(x.sum()), [cupy.cuda.Stream(non_blocking=True) for _ in range(100)]
        found = []
        for stream in streams:
            with stream:
                found.append(redtune.sum(x))
        cupy.cuda.Device().synchronize()
        self.assertTrue(all(abs(float(one) - expected) < 1e-2 for one in found))

    @unittest.skipUnless(hasattr(torch.library, "custom_op"), "needs torch 2.4")
    def test_a_compiled_model_has_a_reduction_in_it(self):
        model = torch.nn.Linear(1000, 64, device="cuda")
        compiled = torch.compile(lambda x: redtune.mean(torch.relu(model(x)), 1), fullgraph=True)
        found = compiled(self.x)
        self.assertTrue(torch.allclose(found, torch.relu(model(self.x)).mean(1), atol=1e-4))
        found.sum().backward()
        self.assertIsNotNone(model.weight.grad)


def load_tests(loader, tests, pattern):
    """In the order in which they stand."""
    return unittest.TestSuite(OnAGpu(name) for name in vars(OnAGpu) if name.startswith("test_"))


if __name__ == "__main__":
    unittest.main()
