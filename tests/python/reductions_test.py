# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""The functions of the package against NumPy's, on the host device."""

import itertools
import unittest

import numpy
from arrays import EXPECTED, FULL, Exporter, bf16, from_bf16, is_near, some

import redtune
from redtune._types import LONG, TYPES

NUMPY_TYPES = {short: numpy.dtype(long) for short, long in LONG.items() if short != "bf16"}


def takes(row, short):
    kind = TYPES[short].kind
    return row.takes == "any" or (row.takes == "floats") == (kind == "floating")


def cells():
    """Operators and types: all pairs in full runs; else each operator with one type in turn, and each type summed."""
    rows = list(redtune.OPERATORS.values())
    for i, row in enumerate(rows):
        types = [short for short in NUMPY_TYPES if takes(row, short)]
        for short in types if FULL or row.name == "sum" else [types[i % len(types)]]:
            yield row, short


def parts_of(result):
    return list(result) if isinstance(result, tuple) else [result]


class EveryOperator(unittest.TestCase):
    def test_is_known_to_these_tests(self):
        self.assertEqual(sorted(EXPECTED), sorted(redtune.OPERATORS))
        for name in redtune.OPERATORS:
            self.assertIs(getattr(redtune, name).__module__, "redtune")
            self.assertIn(redtune.OPERATORS[name].summary[1:], getattr(redtune, name).__doc__)

    def test_gives_what_numpy_gives(self):
        for row, short in cells():
            dtype = NUMPY_TYPES[short]
            length = 6 if row.name == "product" else 41  # of integers products wrap, of floats they vanish
            x = some(dtype, (3, length), seed=len(row.name))
            for dim, keepdim in ((None, False), (1, False), (1, True)) if FULL else ((None, False), (1, True)):
                with self.subTest(op=row.name, type=short, dim=dim):
                    found = parts_of(getattr(redtune, row.name)(x, dim, keepdim))
                    expected = parts_of(EXPECTED[row.name](x, dim, keepdim))
                    self.assertEqual(len(found), len(expected))
                    for one, wanted in zip(found, expected):
                        self.assertTrue(is_near(one, wanted, dtype), f"{one} instead of {wanted}")

    def test_of_which_the_indexed_give_the_value_as_well(self):
        x = some(numpy.float32, (4, 50))
        found = redtune.max_argmax(x, 1)
        self.assertEqual(found._fields, ("values", "indices"))
        self.assertTrue((found.values == x.max(1)).all() and (found.indices == x.argmax(1)).all())
        self.assertEqual(found.indices.dtype, numpy.int64)

    def test_is_documented_as_the_library_documents_it(self):
        self.assertIn("nan anywhere gives nan", redtune.max.__doc__.lower())
        self.assertEqual(redtune.prod, redtune.product)


class Types(unittest.TestCase):
    def test_of_results_are_those_of_numpy(self):
        for dtype in NUMPY_TYPES.values():
            x = some(dtype, 5)
            with self.subTest(type=dtype):
                self.assertEqual(redtune.sum(x).dtype, x.sum().dtype)
        truth = numpy.array([True, False, True])
        self.assertEqual((redtune.sum(truth).dtype, redtune.sum(truth)), (numpy.int64, 2))
        self.assertEqual((redtune.all(truth).dtype, bool(redtune.all(truth))), (numpy.bool_, False))
        self.assertEqual((redtune.max(truth).dtype, bool(redtune.max(truth))), (numpy.bool_, True))

    def test_truth_values_are_asked_for_and_given_as_torch_has_them(self):
        truth = numpy.array([[True, True, False], [True] * 3])
        for dtype, expected in ((numpy.uint8, [2, 3]), (numpy.int8, [2, 3]), (numpy.int64, [2, 3]), (numpy.float32, [2.0, 3.0])):
            found = redtune.sum(truth, 1, dtype=dtype)
            self.assertEqual((found.dtype, found.tolist()), (dtype, expected))
        numbers = numpy.array([[0, 0], [0, 256]], numpy.int32)
        for dtype in (bool, numpy.bool_, "bool"):
            for op, given, expected in (("sum", truth, [True, True]), ("prod", truth, [False, True]), ("sum", numbers, [False, True]),
                                        ("prod", numbers, [False, False]), ("any", numbers, [False, True]), ("all", truth, [False, True])):
                with self.subTest(op=op, dtype=dtype):
                    found = getattr(redtune, op)(given, 1, dtype=dtype)
                    self.assertEqual((found.dtype, found.tolist()), (numpy.bool_, expected))
                    reducer = redtune.Reducer(op if op != "prod" else "product", given.dtype, given.shape, 1, acc_dtype=dtype)
                    self.assertEqual(reducer(given).tolist(), expected)
        with self.assertRaisesRegex(TypeError, "max gives no truth values: dtype=bool is for sum, product, any and all"):
            redtune.max(truth, dtype=bool)
        self.assertEqual(redtune.sum(numpy.arange(3, dtype=numpy.uint8), dtype=numpy.uint16).dtype, numpy.uint16)

    def test_axes_are_whole_numbers_of_any_kind(self):
        x = some(numpy.float32, (3, 4, 5))
        expected = redtune.sum(x, (1, 2))
        for dim in (numpy.int64(1), numpy.array(1), True):
            self.assertEqual(redtune.sum(x, dim).tolist(), redtune.sum(x, 1).tolist())
        for dim in ([1, 2], numpy.array([1, 2]), (numpy.int8(1), numpy.int64(2)), range(1, 3)):
            self.assertEqual(redtune.sum(x, dim).tolist(), expected.tolist())
            reducer = redtune.Reducer("sum", x.dtype, x.shape, dim)
            self.assertEqual(reducer(x).tolist(), expected.tolist())
        self.assertEqual(redtune.query("sum", "f32", numpy.int64(1000), device="host").match, "default")
        self.assertEqual(redtune.Reducer("sum", x.dtype, numpy.int64(60))(x.reshape(-1)), redtune.sum(x.reshape(-1)))
        for wrong in (1.5, "1", (1, 2.0)):
            with self.assertRaisesRegex(TypeError, "it is the number of an axis, or several"):
                redtune.sum(x, wrong)

    def test_elements_with_gaps_have_kernels_of_their_own(self):
        x = some(numpy.float64, (6, 40, 2))
        for given in (x[:, :, 0].copy(), x[:, :, 1], x[:, :, 0].copy()):
            self.assertTrue(numpy.allclose(redtune.l2_norm(given, 1), (given ** 2).sum(1) ** 0.5))

    def test_dtype_is_what_is_accumulated_in(self):
        x = numpy.full(1000, 0.1, numpy.float32)
        found = redtune.sum(x, dtype=numpy.float64)
        self.assertEqual(found.dtype, numpy.float64)
        self.assertAlmostEqual(float(found), 1000 * float(numpy.float32(0.1)), places=9)
        halves = numpy.full(4096, 1.5, numpy.float16)
        self.assertEqual((redtune.sum(halves).dtype, float(redtune.sum(halves))), (numpy.float16, 6144.0))
        self.assertEqual(redtune.sum(halves, dtype="float32").dtype, numpy.float32)
        whole = numpy.arange(10, dtype=numpy.int32)
        self.assertEqual((redtune.sum(whole, dtype=float).dtype, float(redtune.sum(whole, dtype=float))),
                         (numpy.float64, 45.0))
        with self.assertRaisesRegex(redtune.UsageError, "the result of max of f32 is f32 or another float"):
            redtune.max(x, dtype=numpy.int32)

    def test_that_redtune_lacks_are_named(self):
        with self.assertRaisesRegex(TypeError, "redtune has no type complex64; it has float32"):
            redtune.sum(numpy.zeros(3, numpy.complex64))
        with self.assertRaisesRegex(redtune.UsageError, "bit_or is for integers, and f32 is a float"):
            redtune.bit_or(numpy.zeros(3, numpy.float32))
        with self.assertRaisesRegex(redtune.UsageError, "of another byte order"):
            redtune.sum(numpy.zeros(3, ">f4"))

    def test_bfloat16_goes_by_dlpack(self):
        values = some(numpy.float32, (3, 40))
        x = Exporter(bf16(values), code="bf")
        with self.assertRaisesRegex(TypeError, "has no type bfloat16.*give out="):
            redtune.sum(x, 1)
        self.assertTrue(is_near(redtune.sum(x, 1, dtype="float32"), from_bf16(bf16(values)).sum(1), numpy.float32))
        bits = numpy.zeros(3, numpy.uint16)
        redtune.sum(x, 1, out=Exporter(bits, code="bf"))
        self.assertTrue((bits == bf16(from_bf16(bf16(values)).astype(numpy.float64).sum(1))).all())


def axes_of(rank):
    for count in range(1, rank + 1):
        yield from itertools.combinations(range(rank), count)


class Axes(unittest.TestCase):
    def test_of_every_combination(self):
        for shape in ((), (7,), (3, 5), (2, 3, 4), (2, 1, 4), (1, 1), (1, 5), (5, 1), (2, 1, 3, 1)):
            x = some(numpy.int32, shape)
            for axes in [None, *axes_of(len(shape))]:
                for keepdim in (False, True):
                    with self.subTest(shape=shape, axes=axes, keepdim=keepdim):
                        found = redtune.sum(x, axes, keepdim)
                        expected = x.sum(axis=axes, keepdims=keepdim)
                        self.assertEqual(found.shape, expected.shape)
                        self.assertTrue((found == expected).all())

    def test_may_be_negative_or_a_list_or_none_at_all(self):
        x = some(numpy.int32, (3, 4, 5))
        self.assertTrue((redtune.sum(x, -1) == x.sum(-1)).all())
        self.assertTrue((redtune.sum(x, [1, -1]) == x.sum((1, 2))).all())
        self.assertEqual(redtune.sum(x, ()), x.sum())
        with self.assertRaisesRegex(redtune.UsageError, "dim is 3, and the array has 3 axes: they are 0 to 2, or -1 to -3"):
            redtune.sum(x, 3)
        with self.assertRaisesRegex(redtune.UsageError, "axis 1 is named twice"):
            redtune.sum(x, (1, -2))
        self.assertTrue((redtune.sum(x, numpy.int64(1)) == x.sum(1)).all())
        for wrong in (0.7, (0.7,), "1", ("1",)):
            with self.assertRaisesRegex(TypeError, "it is the number of an axis, or several"):
                redtune.sum(x, wrong)
        with self.assertRaisesRegex(redtune.UsageError, "dim is 1, and the array has 0 axes: leave dim out"):
            redtune.sum(numpy.float32(3) + numpy.zeros((), numpy.float32), 1)

    def test_that_come_apart_are_refused_with_what_to_do(self):
        x = some(numpy.int32, (2, 3, 4, 5))
        with self.assertRaisesRegex(redtune.UsageError, "dim 0, 2 of an array of 2x3x4x5 come apart in memory"):
            redtune.sum(x, (0, 2))
        with self.assertRaisesRegex(redtune.UsageError, r"an array of 2x2x4x3 with strides of 60, 40, 5, 1 elements cannot "
                                                        r"be reduced over dim 3 where it lies: copy it first"):
            redtune.sum(x[:, ::2, :, :3], 3)
        self.assertTrue((redtune.sum(x[:, ::2, :, :3].copy(), 3) == x[:, ::2, :, :3].sum(3)).all())

    def test_of_channels(self):
        x = some(numpy.float32, (4, 3, 50))
        self.assertTrue(is_near(redtune.sum(x, (0, 2)), x.astype(numpy.float64).sum((0, 2)), numpy.float32))
        found = redtune.argmax(x, (0, 2))
        self.assertTrue((found == x.transpose(1, 0, 2).reshape(3, -1).argmax(1)).all())


class Layouts(unittest.TestCase):
    def setUp(self):
        self.x = some(numpy.int32, (6, 8, 10))

    def check(self, x, dim, keepdim=False):
        found, expected = redtune.sum(x, dim, keepdim), x.sum(axis=dim, keepdims=keepdim)
        self.assertEqual(found.shape, expected.shape)
        self.assertTrue((found == expected).all(), f"{found} instead of {expected}")

    def test_gaps_are_pitches(self):
        self.check(self.x[:, 2:5, :], (1, 2))
        self.check(self.x[0, :, 3:7], 1)
        self.check(self.x[0, ::2, :], 1)
        self.check(self.x[0, :, 3:7], 0)
        self.check(self.x[::2, 1, 1:], 1)

    def test_other_orders_of_memory_give_results_in_that_order(self):
        for order in itertools.permutations(range(3)):
            x = self.x.transpose(order)
            for dim in (0, 1, 2, (0, 1), (1, 2), (0, 2), None):
                for keepdim in (False, True):
                    with self.subTest(order=order, dim=dim, keepdim=keepdim):
                        self.check(x, dim, keepdim)

    def test_indices_in_another_order_are_refused(self):
        x = some(numpy.float32, (4, 5))
        self.assertTrue((redtune.argmax(x.T, 0) == x.T.argmax(0)).all())
        self.assertTrue((redtune.argmax(x.T, 1) == x.T.argmax(1)).all())
        with self.assertRaisesRegex(redtune.UsageError, "indices count elements as they lie in memory"):
            redtune.argmax(x.T)

    def test_what_cannot_be_is_refused_and_never_copied(self):
        with self.assertRaisesRegex(redtune.UsageError, "axis 0 runs backwards: its stride is -1.*Copy the array first"):
            redtune.sum(numpy.arange(5)[::-1])
        with self.assertRaisesRegex(redtune.UsageError, "axis 0 is one element 4 times, as broadcasting makes it"):
            redtune.sum(numpy.broadcast_to(numpy.arange(5), (4, 5)), 0)
        with self.assertRaisesRegex(redtune.UsageError, "no multiple of 4 bytes"):
            redtune.sum(numpy.zeros(17, numpy.uint8)[1:].view(numpy.float32))
        with self.assertRaisesRegex(redtune.UsageError, "the stride of axis 0 is 5 bytes"):
            redtune.sum(numpy.zeros(3, [("a", "f4"), ("b", "u1")])["a"])
        with self.assertRaisesRegex(redtune.UsageError, "knows no masks"):
            redtune.sum(numpy.ma.masked_array([1.0, 2.0], [True, False]))
        with self.assertRaisesRegex(TypeError, "a str is no array"):
            redtune.sum("1, 2, 3")

    def test_one_index_runs_any_way(self):
        self.check(self.x[::-1][:1], 1)
        self.check(numpy.broadcast_to(self.x[0, 0], (1, 10)), 1)

    def test_empty_arrays_give_the_identity_or_nothing(self):
        for shape in ((0,), (0, 3), (3, 0), (2, 0, 3)):
            x = numpy.zeros(shape, numpy.int32)
            for dim in [None, *range(len(shape))]:
                with self.subTest(shape=shape, dim=dim):
                    self.check(x, dim, True)
        nothing = numpy.zeros(0, numpy.float32)
        self.assertEqual(redtune.max(nothing), -numpy.inf)
        self.assertEqual(redtune.argmax(nothing), -1)
        self.assertTrue(numpy.isnan(redtune.mean(nothing)))
        self.assertEqual(redtune.min_max(numpy.zeros((0, 4), numpy.float32), 1).min.shape, (0,))
        self.assertEqual(redtune.sum(numpy.zeros((4, 0), numpy.float64)[:, ::-1], 1).tolist(), [0, 0, 0, 0])


class Out(unittest.TestCase):
    def test_is_written_and_given(self):
        x = some(numpy.float32, (4, 100))
        out = numpy.empty(4, numpy.float32)
        self.assertIs(redtune.sum(x, 1, out=out), out)
        self.assertTrue(is_near(out, x.astype(float).sum(1), numpy.float32))
        kept = numpy.empty((4, 1), numpy.float32)
        self.assertTrue((redtune.sum(x, 1, True, out=kept)[:, 0] == out).all())
        alone = numpy.empty((), numpy.float32)
        self.assertIs(redtune.max(x, out=alone), alone)
        self.assertEqual(alone, x.max())

    def test_of_several_values_is_several(self):
        x = some(numpy.float32, (4, 100))
        low, high = numpy.empty(4, numpy.float32), numpy.empty(4, numpy.float32)
        redtune.min_max(x, 1, out=(low, high))
        self.assertTrue((low == x.min(1)).all() and (high == x.max(1)).all())
        indices = numpy.empty(4, numpy.int64)
        self.assertIs(redtune.argmin(x, 1, out=indices), indices)
        self.assertTrue((indices == x.argmin(1)).all())

    def test_lies_as_the_array_does(self):
        x = some(numpy.int32, (3, 4, 5)).transpose(1, 0, 2)
        out = numpy.empty((3, 4), numpy.int64).T
        self.assertTrue((redtune.sum(x, 2, out=out) == x.sum(2)).all())
        with self.assertRaisesRegex(redtune.UsageError, "the results lie one behind the other"):
            redtune.sum(x, 2, out=numpy.empty((4, 3), numpy.int64))
        with self.assertRaisesRegex(redtune.UsageError, "the results lie one behind the other"):
            redtune.sum(some(numpy.int32, (3, 4)), 1, out=numpy.empty(6, numpy.int64)[::2])

    def test_that_does_not_fit_is_refused(self):
        x = some(numpy.float32, (4, 100))
        with self.assertRaisesRegex(TypeError, "out is of float64, and the result of float32"):
            redtune.sum(x, 1, out=numpy.empty(4))
        with self.assertRaisesRegex(redtune.UsageError, r"out is of shape \(5,\), and the result of \(4,\)"):
            redtune.sum(x, 1, out=numpy.empty(5, numpy.float32))
        fixed = numpy.empty(4, numpy.float32)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(redtune.UsageError, "out is only to be read"):
            redtune.sum(x, 1, out=fixed)

    def test_has_a_place_of_its_own(self):
        memory = numpy.zeros(8, numpy.float32)
        for begin, fits in ((0, False), (3, False), (4, True)):
            with self.subTest(begin=begin):
                x, out = memory[:4].reshape(4, 1), memory[begin:begin + 4]
                if fits:
                    self.assertIs(redtune.sum(x, 1, out=out), out)
                    continue
                with self.assertRaisesRegex(redtune.UsageError, "out lies where the array lies that is reduced"):
                    redtune.sum(x, 1, out=out)
        between = numpy.zeros((4, 3), numpy.float32)
        with self.assertRaisesRegex(redtune.UsageError, "out lies where the array lies"):
            redtune.sum(between[::2], 1, out=between[1][:2])
        odd = numpy.zeros(17, numpy.uint8)[1:].view(numpy.float32)
        with self.assertRaisesRegex(redtune.UsageError, "out begins at an address that is no multiple of 4 bytes"):
            redtune.sum(some(numpy.float32, (4, 10)), 1, out=odd)


class Protocols(unittest.TestCase):
    def test_dlpack_of_both_versions(self):
        x = some(numpy.float32, (6, 10))
        for version in (0, 1):
            for exported in (Exporter(x, version=version), Exporter(x, version=version, with_strides=False),
                             Exporter(x, version=version, offset=64), Exporter(x[::2], version=version)):
                expected = exported.array.astype(float).sum(1)
                self.assertTrue(is_near(redtune.sum(exported, 1), expected, numpy.float32))
        self.assertIsInstance(redtune.sum(Exporter(x), 1), numpy.ndarray)
        self.assertEqual(redtune.any(Exporter(numpy.array([False, True]))).dtype, numpy.bool_)

    def test_dlpack_that_redtune_does_not_read(self):
        x = some(numpy.float32, 4)
        later = Exporter(x, version=1)
        later._versioned.major = 2
        with self.assertRaisesRegex(BufferError, "DLPack 2; redtune reads version 1"):
            redtune.sum(later)
        with self.assertRaisesRegex(redtune.UsageError, "device of DLPack's type 8, number 1"):
            redtune.sum(Exporter(x, device=(8, 1)))
        with self.assertRaisesRegex(redtune.UsageError, "out is only to be read"):
            redtune.sum(x, out=Exporter(numpy.empty((), numpy.float32), version=1, flags=1))
        with self.assertRaisesRegex(redtune.UsageError, "out would be a copy"):
            redtune.sum(x, out=Exporter(numpy.empty((), numpy.float32), version=1, flags=2))
        self.assertEqual(redtune.sum(Exporter(x, version=1, flags=3), dtype="f64"), x.astype(float).sum())

    def test_dlpack_is_told_the_stream(self):
        x = some(numpy.float32, 4)
        for device, stream, told in (((1, 0), 7, None), ((2, 0), None, 1), ((2, 0), 0, 1), ((2, 0), 77, 77),
                                     ((10, 0), None, 0), ((10, 0), 77, 77)):
            exported = Exporter(x, version=1, device=device)
            try:
                redtune.sum(exported, stream=stream, out=exported)
            except redtune.Error:
                pass  # there is no such device, or out is of another shape
            self.assertEqual((exported.asked[0].get("stream"), exported.asked[0]["max_version"]), (told, (1, 0)))
            self.assertIs(exported.asked[0]["copy"], False)

    def test_array_interfaces_and_buffers(self):
        x = some(numpy.float32, (3, 4))

        class Interface:
            __array_interface__ = x.__array_interface__

        self.assertTrue(is_near(redtune.sum(Interface(), 1), x.astype(float).sum(1), numpy.float32))
        self.assertEqual(redtune.sum(memoryview(numpy.arange(5))), 10)
        self.assertEqual(redtune.sum(b"\1\2\3"), 6)
        self.assertEqual(redtune.sum(numpy.float32(3)), 3)

        class Masked:
            __array_interface__ = {**x.__array_interface__, "mask": x > 0}

        with self.assertRaisesRegex(redtune.UsageError, "redtune knows no masks"):
            redtune.sum(Masked())

        class OnGpu:
            __cuda_array_interface__ = {"typestr": "<f4", "shape": (4,), "data": (0x7f0000000000, False), "version": 3}

        with self.assertRaisesRegex(redtune.UsageError, "cuda"):
            redtune.sum(OnGpu(), out=OnGpu())

    def test_streams_are_told_by_whatever_has_one(self):
        from redtune._arrays import stream_handle

        class Protocol:
            def __cuda_stream__(self):
                return (0, 11)

        class OfTorch:
            cuda_stream = 12

        class OfCuPy:
            ptr = 13

        self.assertEqual([stream_handle(s) for s in (Protocol(), OfTorch(), OfCuPy(), 14)], [11, 12, 13, 14])
        with self.assertRaisesRegex(TypeError, "stream is a str"):
            redtune.sum(numpy.ones(3), stream="main")


if __name__ == "__main__":
    unittest.main()
