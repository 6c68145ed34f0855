# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""Segments between offsets, plans of them, and groups by key, on the host."""

import array
import concurrent.futures
import os
import threading
import unittest

import numpy
from arrays import FULL, Exporter, some

import redtune
from redtune import OPERATORS, _libraries

OFFSETS = numpy.array([0, 0, 3, 40, 40, 97, 100])


def by_functions(op, x, begins, ends, **options):
    """What functions give of each segment by itself."""
    function = getattr(redtune, op)
    return [function(x[begin:end], **options) for begin, end in zip(begins, ends)]


class Segments(unittest.TestCase):
    def same(self, found, expected):
        if isinstance(found, tuple):
            for number, part in enumerate(found):
                self.same(part, [one[number] for one in expected])
            return
        self.assertEqual(found.dtype, numpy.array(expected).dtype)
        numpy.testing.assert_allclose(found, expected, rtol=1e-5)

    def test_are_what_functions_give_of_each(self):
        for name in OPERATORS if FULL else ("sum", "argmax", "mean_variance", "bit_xor"):
            row = OPERATORS[name]
            x = some(numpy.int32 if row.takes == "integers" else numpy.float32, 100)
            for op in (name, *([f"{'min' if 'min' in name else 'max'}_{name}"] if row.shape == "indexed" else [])):
                with self.subTest(op=op):
                    self.same(redtune.segment_reduce(x, op, offsets=OFFSETS), by_functions(op, x, OFFSETS, OFFSETS[1:]))
        x = some(numpy.float32, 100)
        self.same(redtune.segment_reduce(x, "max_argmax", offsets=OFFSETS), by_functions("max_argmax", x, OFFSETS, OFFSETS[1:]))

    def test_are_told_by_offsets_of_either_kind_by_ends_and_by_lengths(self):
        x = some(numpy.float64, 100)
        expected = by_functions("sum", x, OFFSETS, OFFSETS[1:])
        for offsets in (OFFSETS, OFFSETS.astype(numpy.int32), Exporter(OFFSETS, version=1)):
            self.same(redtune.segment_reduce(x, offsets=offsets), expected)
        self.same(redtune.segment_reduce(x, lengths=numpy.diff(OFFSETS)), expected)
        self.same(redtune.segment_reduce(x, lengths=numpy.diff(OFFSETS).astype(numpy.uint8)), expected)
        begins, ends = numpy.array([50, 60, 90], numpy.int32), numpy.array([55, 60, 100], numpy.int32)
        self.same(redtune.segment_reduce(x, offsets=begins, ends=ends), by_functions("sum", x, begins, ends))
        self.assertEqual(redtune.segment_reduce(x, offsets=numpy.array([7])).shape, (0,))
        self.assertEqual(redtune.segment_reduce(x[:0], offsets=numpy.array([0, 0, 0])).tolist(), [0, 0])

    def test_give_the_type_that_is_asked_for_where_it_is_wanted(self):
        x = some(numpy.float32, 100)
        out = numpy.empty(6, numpy.float64)
        self.assertIs(redtune.segment_reduce(x, "sum", offsets=OFFSETS, dtype="f64", out=out), out)
        self.same(out, by_functions("sum", x, OFFSETS, OFFSETS[1:], dtype="f64"))
        truth = x > 0
        self.same(redtune.segment_reduce(truth, "sum", offsets=OFFSETS), by_functions("sum", truth, OFFSETS, OFFSETS[1:]))
        self.same(redtune.segment_reduce(truth, "sum", offsets=OFFSETS, dtype=bool), by_functions("any", truth, OFFSETS, OFFSETS[1:]))
        halves = x.astype(numpy.float16)
        self.assertEqual(redtune.segment_reduce(halves, "mean", offsets=OFFSETS[1:4]).dtype, numpy.float16)
        with self.assertRaisesRegex(redtune.UsageError, r"out is of shape \(5,\), and the result of \(6,\)"):
            redtune.segment_reduce(x, offsets=OFFSETS, out=numpy.empty(5, numpy.float32))

    def test_that_are_none_are_refused(self):
        x = some(numpy.float32, 100)
        for options, error, text in (
                ({"offsets": numpy.array([0, 50, 40, 100])}, redtune.UsageError, "segment 1 ends at 40, before it begins at 50"),
                ({"offsets": numpy.array([0, 101])}, redtune.UsageError, "segment 0 ends at 101, beyond the 100 elements"),
                ({"offsets": OFFSETS.astype(float)}, TypeError, "offsets are of int32 or int64, and these of float64"),
                ({"offsets": OFFSETS.reshape(1, -1)}, redtune.UsageError, r"offsets lies in one axis.*shape \(1, 7\)"),
                ({"offsets": OFFSETS[::2]}, redtune.UsageError, "with gaps: copy it first"),
                ({"offsets": OFFSETS[:0]}, redtune.UsageError, "so at least one"),
                ({"offsets": OFFSETS, "ends": OFFSETS[:3]}, redtune.UsageError, "ends are 3 of int64"),
                ({"offsets": OFFSETS, "lengths": OFFSETS}, redtune.UsageError, "by offsets=, or by lengths="),
                ({}, redtune.UsageError, "by offsets=, or by lengths="),
                ({"offsets": OFFSETS, "reduce": "median"}, redtune.UsageError, "no operator 'median'; there are sum,")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                redtune.segment_reduce(x, **options)
        for wrong in (x.reshape(10, 10), x[::2], numpy.array(1.0)):
            with self.assertRaises((redtune.UsageError, TypeError)):
                redtune.segment_reduce(wrong, offsets=OFFSETS[:1])

    def test_that_are_said_to_be_right_are_not_looked_at(self):
        x = some(numpy.float64, 100)
        expected = by_functions("sum", x, OFFSETS, OFFSETS[1:])

        class Captures(_libraries.NumPy):
            def is_capturing(self, device):
                return True

        redtune.segment_reduce(x, offsets=OFFSETS)
        before = _libraries._of_type[numpy.ndarray]
        _libraries._of_type[numpy.ndarray] = Captures()
        try:
            self.same(redtune.segment_reduce(x, offsets=OFFSETS, unsafe=True), expected)
            with self.assertRaisesRegex(redtune.UsageError, "cannot be looked at while a graph is captured: give unsafe=True"):
                redtune.segment_reduce(x, offsets=OFFSETS)
        finally:
            _libraries._of_type[numpy.ndarray] = before


class APlan(unittest.TestCase):
    def test_reduces_as_the_function_does_many_arrays_and_other_offsets(self):
        for op in ("sum", "max_argmax"):
            plan = redtune.SegmentPlan(op, numpy.float32, OFFSETS, 100)
            for seed in range(3):
                x = some(numpy.float32, 100, seed=seed)
                found, expected = plan(x), redtune.segment_reduce(x, op, offsets=OFFSETS)
                for one, other in zip(found, expected) if isinstance(found, tuple) else ((found, expected),):
                    numpy.testing.assert_allclose(one, other, rtol=1e-5)
            others = numpy.array([0, 10, 20, 30, 31, 32, 33])
            self.assertIs(plan.update(others), plan)
            found, expected = plan(x), redtune.segment_reduce(x, op, offsets=others)
            for one, other in zip(found, expected) if isinstance(found, tuple) else ((found, expected),):
                numpy.testing.assert_allclose(one, other, rtol=1e-5)

    def test_tells_what_it_is(self):
        plan = redtune.SegmentPlan("sum", "f32", OFFSETS, 100, way="bins", measured=True, acc_dtype="f64")
        self.assertEqual(repr(plan), "redtune.SegmentPlan('sum', 'f32', 6 segments, 100)")
        self.assertEqual((plan.device, plan.lengths()), ("host", redtune.Lengths(100, 57, "uniform")))
        self.assertGreater(plan.bytes, 0)
        self.assertIn(plan.answer.match, ("default", "exact", "near"))
        out = numpy.empty(6)
        x = some(numpy.float32, 100)
        self.assertIs(plan(x, out=out), out)
        numpy.testing.assert_allclose(out, redtune.segment_reduce(x, offsets=OFFSETS, dtype="f64"))

    def test_refuses_what_it_is_not_for(self):
        plan = redtune.SegmentPlan("sum", "f32", OFFSETS, 100)
        for x, error, text in ((some(numpy.float64, 100), TypeError, "this plan is for float32, and the array is of float64"),
                               (some(numpy.float32, 99), redtune.UsageError, "this plan is for 100 elements, and the array has 99"),
                               (some(numpy.float32, (10, 10)), redtune.UsageError, "lies in one axis")):
            with self.assertRaisesRegex(error, text):
                plan(x)
        with self.assertRaisesRegex(redtune.UsageError, "segment 2 ends at 2, before it begins at 3"):
            plan.update(numpy.array([0, 1, 3, 2, 4, 5, 6]))
        with self.assertRaisesRegex(redtune.UsageError, "unknown way of a plan 'heaps'"):
            redtune.SegmentPlan("sum", "f32", OFFSETS, 100, way="heaps")
        with self.assertRaisesRegex(redtune.UsageError, "segment 0 ends at 9, beyond the 8 elements"):
            redtune.SegmentPlan("sum", "f32", numpy.array([0, 9]), 8)
        with self.assertRaisesRegex(ValueError, "unknown skew 'odd'; known: uniform zipf giant"):
            redtune.SegmentPlan("sum", "f32", OFFSETS, 100, skew="odd")

    def test_may_be_called_by_threads_and_is_made_again_in_a_fork(self):
        plan = redtune.SegmentPlan("sum", "f64", OFFSETS, 100)
        x = some(numpy.float64, 100)
        expected = plan(x).tolist()
        wrong = []
        threads = [threading.Thread(target=lambda: wrong.extend(1 for _ in range(100) if plan(x).tolist() != expected))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        child = os.fork()
        if child == 0:
            try:
                plan(x)
            except RuntimeError as error:
                os._exit(7 if "before the process was forked" in str(error) else 1)
            os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)


class Groups(unittest.TestCase):
    def grouped(self, keys, x, op):
        begins = [0, *(i for i in range(1, len(keys)) if keys[i] != keys[i - 1])] if len(keys) else []
        return keys[begins], by_functions(op, x, begins, [*begins[1:], len(keys)])

    def test_are_what_functions_give_of_each(self):
        lengths = [1, 5, 30, 1, 1, 62]
        for key_dtype in (numpy.int32, numpy.int64, numpy.uint32, numpy.float64) if FULL else (numpy.uint32, numpy.float64):
            keys = numpy.repeat(numpy.array([3, 9, 3, 7, 3, 1]), lengths).astype(key_dtype)
            for op in ("sum", "max_argmax", "mean_variance"):
                with self.subTest(op=op, key=key_dtype):
                    x = some(numpy.float32, 100)
                    found = redtune.reduce_by_key(keys, x, op)
                    expected_keys, expected = self.grouped(keys, x, op)
                    self.assertEqual((found.keys.dtype, found.count), (key_dtype, 6))
                    self.assertEqual(found.keys.tolist(), expected_keys.tolist())
                    parts = zip(found.values, zip(*expected)) if isinstance(found.values, tuple) else ((found.values, expected),)
                    for one, other in parts:
                        numpy.testing.assert_allclose(one, other, rtol=1e-5)

    def test_may_be_none_or_more_than_before(self):
        for count in (0, 1, 10, 5000, 20000):
            keys, x = numpy.arange(count, dtype=numpy.int32) // 3, numpy.ones(count)
            found = redtune.reduce_by_key(keys, x, "sum")
            self.assertEqual(found.count, -(-count // 3))
            self.assertEqual((found.keys.tolist(), found.values.sum()), (list(range(found.count)), count))

    def test_of_a_reducer_have_places_for_as_many_as_there_are_elements(self):
        by_key = redtune.ByKeyReducer("sum", "f32", "i32", 100, groups=10, device="host", acc_dtype="f64")
        keys = numpy.repeat(numpy.arange(4, dtype=numpy.int32), 5)
        found = by_key(keys, numpy.ones(20, numpy.float32))
        self.assertEqual((found.values.dtype, found.values.shape, found.count.tolist()), (numpy.float64, (20,), [4]))
        self.assertEqual((found.keys[:4].tolist(), found.values[:4].tolist()), ([0, 1, 2, 3], [5] * 4))
        by_key.synchronize()
        nothing = by_key(keys[:0], numpy.ones(0, numpy.float32))
        self.assertEqual((nothing.count.tolist(), nothing.keys.shape, nothing.values.shape), ([0], (0,), (0,)))
        self.assertEqual((by_key.device, by_key.answer.family, repr(by_key)),
                         ("host", "reduce_segments", "redtune.ByKeyReducer('sum', 'f32', 'i32', 100)"))
        self.assertGreater(by_key.bytes, 0)
        for wrong_keys, x, text in ((keys.astype(float), numpy.ones(20, numpy.float32), "for keys of int32, and they are of float64"),
                                    (keys, numpy.ones(20), "for elements of float32, and they are of float64"),
                                    (keys[:5], numpy.ones(20, numpy.float32), "there are 5 keys for 20 elements"),
                                    (numpy.zeros(101, numpy.int32), numpy.ones(101, numpy.float32), "for 100 elements at most")):
            with self.assertRaisesRegex((TypeError, redtune.UsageError), text):
                by_key(wrong_keys, x)
        with self.assertRaises(redtune.UsageError):
            redtune.ByKeyReducer("sum", "f32", "i8", 100, device="host")

    def test_may_be_asked_for_by_threads(self):
        def reduce(length):
            keys, x = numpy.arange(3000) // length, numpy.ones(3000)
            return [set(redtune.reduce_by_key(keys, x).values[:-1].tolist()) for _ in range(20)]

        lengths = (1, 2, 7, 100)
        with concurrent.futures.ThreadPoolExecutor(len(lengths)) as threads:
            for length, found in zip(lengths, threads.map(reduce, lengths)):
                self.assertEqual(found, [{float(length)}] * 20)

    def test_by_key_take_arrays_without_a_library_and_streams_that_are_given(self):
        keys, x = array.array("i", [7, 7, 2]), array.array("f", [1, 2, 3])
        by_key = redtune.ByKeyReducer("sum", "f32", "i32", 10, device="host")
        for found in (by_key(keys, x), by_key(numpy.array(keys, numpy.int32), numpy.array(x, numpy.float32), stream=1)):
            many = int(numpy.asarray(found.count)[0])
            self.assertEqual((numpy.asarray(found.keys)[:many].tolist(), numpy.asarray(found.values)[:many].tolist()), ([7, 2], [3, 3]))
        found = redtune.reduce_by_key(numpy.array(keys, numpy.int32), numpy.array(x, numpy.float32), "sum", stream=1)
        self.assertEqual((found.keys.tolist(), found.values.tolist()), ([7, 2], [3, 3]))

    def test_by_key_go_in_the_way_that_is_asked_for(self):
        keys, x = numpy.array([7, 7, 2], numpy.int32), numpy.ones(3, numpy.float32)
        for way in ("tiles", "segments"):
            by_key = redtune.ByKeyReducer("sum", "f32", "i32", 10, device="host", way=way)
            self.assertEqual((by_key.way, by_key(keys, x).values[:2].tolist()), (way, [2, 1]))
        with self.assertRaisesRegex(redtune.UsageError, "tiles"):
            redtune.ByKeyReducer("sum", "f32", "i32", 10, device="host", way="rows")


if __name__ == "__main__":
    unittest.main()
