# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Tensors of torch, and arrays of CuPy, on a GPU: streams, graphs, torch.compile. Skipped where there is none."""

import sys
import unittest

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

BOTH = (("sum", torch.sum), ("prod", torch.prod), ("amin", torch.amin), ("amax", torch.amax), ("argmin", torch.argmin),
        ("argmax", torch.argmax), ("mean", torch.mean), ("logsumexp", torch.logsumexp), ("count_nonzero", torch.count_nonzero),
        ("l2_norm", torch.linalg.vector_norm))


class OnAGpu(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.x = torch.rand(257, 1000, device="cuda") * 2 - 1

    def test_results_are_torchs(self):
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            x = self.x[:, :20].contiguous().to(dtype)
            for name, theirs in BOTH:
                for dim in (0, 1):
                    with self.subTest(op=name, dtype=dtype, dim=dim):
                        found = getattr(redtune, name)(x, dim)
                        expected = theirs(x, dim=dim)
                        self.assertEqual((found.device, found.shape, found.dtype),
                                         (expected.device, expected.shape, expected.dtype))
                        near = 2e-2 if dtype is torch.bfloat16 else 1e-4
                        self.assertTrue(torch.allclose(found.double(), expected.double(), rtol=near, atol=near))

    def test_the_current_stream_is_used(self):
        redtune.sum(self.x, 1)
        stream = torch.cuda.Stream()
        torch.cuda.synchronize()
        x = torch.zeros(1 << 20, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(200_000_000)  # on any other stream the sum would come before the ones
            x.fill_(1)
            total = redtune.sum(x)
        stream.synchronize()
        self.assertEqual(total.item(), 1 << 20)
        with torch.cuda.stream(stream):
            torch.cuda._sleep(200_000_000)
            x.fill_(2)
        total = redtune.sum(x, stream=stream)
        stream.synchronize()
        self.assertEqual(total.item(), 2 << 20)

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

    @unittest.skipUnless(hasattr(torch.library, "custom_op"), "needs torch 2.4")
    def test_a_compiled_model_has_a_reduction_in_it(self):
        model = torch.nn.Linear(1000, 64, device="cuda")
        compiled = torch.compile(lambda x: redtune.mean(torch.relu(model(x)), 1), fullgraph=True)
        found = compiled(self.x)
        self.assertTrue(torch.allclose(found, torch.relu(model(self.x)).mean(1), atol=1e-4))
        found.sum().backward()
        self.assertIsNotNone(model.weight.grad)

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


if __name__ == "__main__":
    unittest.main()
