# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Tensors of torch on the processor: results as torch's, gradients, torch.compile where it is. Skipped without torch."""

import sys
import unittest

try:
    import torch
except ImportError:
    print("skipped: needs torch")
    sys.exit(77)

import numpy

import redtune
from redtune import _arrays, _libraries

#: What both have: redtune's function, torch's, and whether it takes integers.
BOTH = (("sum", torch.sum, True), ("prod", torch.prod, True), ("amin", torch.amin, True), ("amax", torch.amax, True),
        ("argmin", torch.argmin, True), ("argmax", torch.argmax, True), ("all", torch.all, True), ("any", torch.any, True),
        ("count_nonzero", torch.count_nonzero, True), ("mean", torch.mean, False), ("logsumexp", torch.logsumexp, False),
        ("l2_norm", torch.linalg.vector_norm, False))
TYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int32, torch.int64,
         torch.uint8, torch.bool)


def some(dtype, shape):
    torch.manual_seed(1)
    if dtype.is_floating_point:
        return (torch.rand(shape) * 2 - 1).to(dtype)
    return torch.randint(0, 2 if dtype is torch.bool else 5, shape).to(dtype)


class Results(unittest.TestCase):
    def test_are_torchs(self):
        for name, theirs, takes_integers in BOTH:
            for dtype in TYPES:
                if not (takes_integers or dtype.is_floating_point):
                    continue
                x = some(dtype, (3, 20))
                for dim in (1, -2):
                    with self.subTest(op=name, dtype=dtype, dim=dim):
                        found = getattr(redtune, name)(x, dim)
                        try:
                            expected = theirs(x if not dtype.is_floating_point or dtype in (torch.float32, torch.float64)
                                              or name.startswith("arg") else x.float(), dim=dim)
                        except RuntimeError:  # what torch has no kernel for
                            continue
                        self.assertEqual(found.shape, expected.shape)
                        if name not in ("all", "any") or dtype is not torch.uint8:  # of bytes torch's are bytes
                            kept = dtype.is_floating_point and expected.dtype.is_floating_point
                            self.assertEqual(found.dtype, dtype if kept else expected.dtype)
                        near = 2e-2 if dtype in (torch.float16, torch.bfloat16) else 1e-5
                        self.assertTrue(torch.allclose(found.double(), expected.double(), rtol=near, atol=near))

    def test_are_0_dimensional_for_whole_tensors_and_of_torch(self):
        x = some(torch.float32, (4, 5))
        found = redtune.sum(x)
        self.assertIsInstance(found, torch.Tensor)
        self.assertEqual((found.dim(), redtune.sum(x, keepdim=True).shape), (0, (1, 1)))
        out = torch.empty(4)
        self.assertIs(redtune.sum(x, dim=1, out=out), out)
        values, indices = redtune.max_argmax(x, 1)
        self.assertTrue(torch.equal(values, x.max(1).values) and torch.equal(indices, x.max(1).indices))
        self.assertEqual(redtune.abs_max(torch.tensor([-3, 2])).item(), 3)

    def test_of_other_layouts_are_served_or_refused(self):
        x = some(torch.float32, (3, 4, 5))
        self.assertTrue(torch.allclose(redtune.sum(x.permute(2, 0, 1), 0), x.permute(2, 0, 1).sum(0), atol=1e-5))
        self.assertTrue(torch.allclose(redtune.sum(x[:, :, 1:3], 2), x[:, :, 1:3].sum(2), atol=1e-5))
        with self.assertRaisesRegex(redtune.UsageError, "as broadcasting makes it"):
            redtune.sum(torch.ones(3, 1).expand(3, 4))
        with self.assertRaisesRegex(redtune.UsageError, "x.to_dense"):
            redtune.sum(torch.eye(3).to_sparse())
        with self.assertRaisesRegex(TypeError, "has no type complex64"):
            redtune.sum(torch.zeros(3, dtype=torch.complex64))
        with self.assertRaisesRegex(redtune.UsageError, "x.resolve_neg"):
            redtune.sum(torch.zeros(3, dtype=torch.complex64).conj().imag)

    def test_of_a_reducer(self):
        x = some(torch.float32, (4, 100))
        reducer = redtune.Reducer("sum", x.dtype, shape=x.shape, dim=1, device=x.device).prepare()
        self.assertTrue(torch.allclose(reducer(x), x.sum(1), atol=1e-5))
        self.assertEqual(redtune.query("sum", x.dtype, x.shape, 1, device="cpu").family, "reduce_rows")


class Streams(unittest.TestCase):
    """What torch says of a GPU, told by what stands in its place."""

    def test_the_default_one_is_in_order_with_all_that_is_on_it(self):
        library = _libraries.library_named("torch")
        self.assertEqual(_arrays.stream_handle(0), 1)
        raw = library._raw_stream
        self.addCleanup(setattr, library, "_raw_stream", raw)
        library._indices["cuda:0"] = 0
        for handle, expected in ((0, 1), (77, 77)):
            library._raw_stream = lambda index: handle
            self.assertEqual(library.stream("cuda:0"), expected)


class Gradients(unittest.TestCase):
    def test_of_sum_and_mean_are_torchs(self):
        for name, theirs in (("sum", torch.sum), ("mean", torch.mean)):
            for dim, keepdim in ((None, False), (1, False), (0, True), ((0, 2), False)):
                with self.subTest(op=name, dim=dim, keepdim=keepdim):
                    x = some(torch.float64, (3, 4, 5)).requires_grad_()
                    options = {} if dim is None else {"dim": dim, "keepdim": keepdim}
                    weights = torch.rand(theirs(x, **options).shape, dtype=torch.float64)
                    (redtune.__dict__[name](x, **options) * weights).sum().backward()
                    found, x.grad = x.grad, None
                    (theirs(x, **options) * weights).sum().backward()
                    self.assertTrue(torch.allclose(found, x.grad))
        self.assertTrue(torch.autograd.gradcheck(lambda x: redtune.sum(x, 1) ** 2,
                                                 some(torch.float64, (3, 4)).requires_grad_()))

    def test_of_others_are_an_error_that_says_what_to_do(self):
        x = some(torch.float32, (3, 4)).requires_grad_()
        with self.assertRaisesRegex(redtune.UsageError, r"max has no gradient in redtune.*x.detach\(\)"):
            redtune.max(x)
        with self.assertRaisesRegex(redtune.UsageError, "out= has no gradient"):
            redtune.sum(x, out=torch.empty(()))
        self.assertFalse(redtune.argmax(x).requires_grad)
        with torch.no_grad():
            self.assertEqual(redtune.max(x), x.max())
        self.assertEqual(redtune.max(x.detach()), x.detach().max())


    def test_of_a_reducer_are_those_of_functions(self):
        for op, theirs in (("sum", torch.sum), ("mean", torch.mean)):
            x = some(torch.float32, (3, 4)).requires_grad_()
            reducer = redtune.Reducer(op, x.dtype, x.shape, 1, device="host")
            (reducer(x) ** 2).sum().backward()
            found, x.grad = x.grad, None
            (theirs(x, 1) ** 2).sum().backward()
            self.assertTrue(torch.allclose(found, x.grad))
        with self.assertRaisesRegex(redtune.UsageError, "out= has no gradient"):
            reducer(x, out=torch.empty(3))
        with self.assertRaisesRegex(redtune.UsageError, "max has no gradient in redtune"):
            redtune.Reducer("max", x.dtype, x.shape, 1, device="host")(x)
        self.assertFalse(redtune.Reducer("argmax", x.dtype, x.shape, 1, device="host")(x).requires_grad)
        with torch.no_grad():
            self.assertFalse(reducer(x).requires_grad)


class Out(unittest.TestCase):
    def test_that_requires_a_gradient_is_refused(self):
        x = some(torch.float32, (3, 4))
        for op, out in (("sum", torch.zeros(3, requires_grad=True)),
                        ("min_max", (torch.zeros(3), torch.zeros(3, requires_grad=True)))):
            with self.assertRaisesRegex(redtune.UsageError, r"out requires a gradient.*out.detach\(\)"):
                getattr(redtune, op)(x, 1, out=out)
            with torch.no_grad():
                getattr(redtune, op)(x, 1, out=out)

    def test_that_a_gradient_needs_is_known_to_have_changed(self):
        for rank in (1, 0):
            weight = torch.ones(3 if rank else (), requires_grad=True)
            out = torch.ones(weight.shape)
            product = (weight * out).sum()  # whose gradient is out
            self.assertIs(redtune.sum(some(torch.float32, (3, 4)), 1 if rank else None, out=out), out)
            self.assertEqual(out.shape, weight.shape)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                product.backward()
        with torch.inference_mode():
            out = torch.empty(())
        redtune.sum(torch.ones(3), out=out)
        self.assertEqual(out.item(), 3)

    def test_of_another_library_takes_one_value_and_no_copies(self):
        x = some(torch.float32, (3, 4))
        out = numpy.empty(3, numpy.float32)
        self.assertIs(redtune.sum(x, 1, out=out), out)
        self.assertTrue(numpy.allclose(out, x.sum(1).numpy()))
        for op, wrong in (("min_max", (torch.empty(3), out)), ("argmax", numpy.empty(3, numpy.int64))):
            with self.assertRaisesRegex(redtune.UsageError, "out is of NumPy, and .* copied there by torch: give arrays of"):
                getattr(redtune, op)(x, 1, out=wrong)


class Compiled(unittest.TestCase):
    @unittest.skipUnless(hasattr(torch.library, "custom_op") and hasattr(torch, "compile"), "needs torch 2.4")
    def test_functions_stay_in_one_graph(self):
        x = some(torch.float32, (4, 100)).requires_grad_()
        model = torch.compile(lambda x: redtune.sum(torch.relu(x), 1) * 2, fullgraph=True, backend="aot_eager")
        found = model(x)
        found.sum().backward()
        self.assertTrue(torch.allclose(found, torch.relu(x).sum(1) * 2, atol=1e-5))
        self.assertTrue(torch.allclose(x.grad, 2.0 * (x > 0)))

    @unittest.skipUnless(hasattr(torch.library, "custom_op") and hasattr(torch, "compile"), "needs torch 2.4")
    def test_other_results_do_too(self):
        x = some(torch.float32, (4, 100))

        def model(x):
            values, indices = redtune.max_argmax(x, 1)
            mean, variance = redtune.mean_variance(x, 0, keepdim=True)
            return values, indices, mean, variance, redtune.argmin(x), redtune.sum(x.half(), -1, dtype=torch.float32)

        found = torch.compile(model, fullgraph=True, backend="aot_eager")(x)
        for one, expected in zip(found, model(x)):
            self.assertEqual((one.shape, one.dtype), (expected.shape, expected.dtype))
            self.assertTrue(torch.equal(one, expected))
        with self.assertRaisesRegex(Exception, "max has no gradient in redtune"):
            torch.compile(lambda x: redtune.max(x, 1), fullgraph=True, backend="aot_eager")(
                x.requires_grad_()).sum().backward()

    @unittest.skipUnless(hasattr(torch.library, "opcheck"), "needs torch 2.4")
    def test_the_operator_is_what_torch_asks_of_one(self):
        for op, dtype in (("sum", torch.float32), ("argmax", torch.int32), ("mean_variance", torch.float64)):
            arguments = (some(dtype, (3, 4)), op, [1], False, None, None)
            torch.library.opcheck(torch.ops.redtune.reduce.default, arguments)


if __name__ == "__main__":
    unittest.main()
