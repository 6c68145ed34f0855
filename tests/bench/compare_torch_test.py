# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""The arguments of bench/compare_torch.py, what it says where PyTorch is missing, and its own shares with
a PyTorch whose clock stands still. Usage: compare_torch_test.py SCRIPT"""
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import types
import unittest

SCRIPT = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("compare_torch", SCRIPT)
compare_torch = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare_torch)


def parse(*words):
    return compare_torch.parse(words)


def complaint(*words):
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        try:
            parse(*words)
        except SystemExit as end:
            assert end.code == 2
            return errors.getvalue().splitlines()[-1]
    return ""


class Arguments(unittest.TestCase):
    def test_reads_shapes_with_axes_from_either_end(self):
        self.assertEqual(parse("--shape", "2^3x5,3x4x2", "--axis=-1,0").problems,
                         [((8, 5), (0, 1)), ((3, 4, 2), (0, 2))])
        self.assertEqual(parse("--shape", "4x5").problems, [((4, 5), (0, 1))])

    def test_makes_rows_of_a_fixed_total(self):
        self.assertEqual(parse("--row-lengths", "1000,2^1..2^3", "--total", "4K").problems,
                         [((4, 1000), (1,)), ((2048, 2), (1,)), ((1024, 4), (1,)), ((512, 8), (1,))])
        self.assertEqual(parse("--row-lengths", "2").problems, [((1 << 27, 2), (1,))])
        self.assertEqual(parse("--row-lengths", "2^2..70:4", "--total", "1000").problems,
                         [((250, 4), (1,)), ((62, 16), (1,)), ((15, 64), (1,))])

    def test_takes_segments_of_a_total(self):
        (extents, segments), more = parse("--segments", "10,20", "--total", "1000", "--skew", "zipf").problems
        self.assertEqual((extents, segments.count, segments.skew), ((1000,), 10, "zipf"))
        self.assertEqual(more[1].count, 20)
        self.assertEqual(compare_torch.text_of(extents, segments), "1000 in 10 segments zipf")
        self.assertEqual(compare_torch.one_axis_of(extents, segments),
                         {"count": 1000, "segments": 10, "skew": "zipf"})

    def test_takes_rows_of_matrices(self):
        (extents, segments), _ = parse("--segments", "2^10,20", "--degrees", "rmat").problems
        self.assertEqual((extents, segments.count, segments.degrees), ((1 << 14,), 1 << 10, "rmat"))
        self.assertEqual(compare_torch.text_of(extents, segments), "16384 in 1024 segments rmat")
        self.assertEqual(compare_torch.one_axis_of(extents, segments),
                         {"count": 1 << 14, "segments": 1 << 10, "degrees": "rmat"})
        (extents, _), = parse("--segments", "2^10", "--degrees", "rmat", "--total", "77").problems
        self.assertEqual(extents, (77,))
        (extents, _), = parse("--segments", "2^10", "--degrees", "equal").problems
        self.assertEqual(extents, (1 << 28,))

    def test_says_what_is_wrong_in_one_line(self):
        self.assertIn("'' is no count", complaint("--shape", "4x,3"))
        self.assertIn("is no range", complaint("--row-lengths", "8..4"))
        self.assertIn("is no range", complaint("--row-lengths", "0..4"))
        self.assertIn("is no range", complaint("--row-lengths", "4..8:1"))
        self.assertIn("a row is more than all", complaint("--row-lengths", "8", "--total", "7"))
        self.assertIn("--total is of rows", complaint("--shape", "4x5", "--total", "7"))
        self.assertIn("--axis is of arrays", complaint("--row-lengths", "4", "--axis", "1"))
        self.assertIn("are of --segments", complaint("--shape", "4x5", "--skew", "giant"))
        self.assertIn("are of --segments", complaint("--shape", "4x5", "--degrees", "mesh"))
        self.assertIn("leave one of them out",
                      complaint("--segments", "4", "--skew", "giant", "--degrees", "mesh"))
        self.assertIn("no such axis", complaint("--shape", "4x5", "--axis", "2"))
        self.assertIn("unknown name 'f99'; known: f32", complaint("--shape", "4", "--types", "f99"))
        self.assertIn("not allowed with", complaint("--shape", "4", "--row-lengths", "4"))

    def test_names_shapes_as_redtune_does(self):
        self.assertEqual(compare_torch.text_of((4, 5), (1,)), "4x[5]")
        self.assertEqual(compare_torch.one_axis_of((3, 4, 5, 6), (1, 2)),
                         {"outer": 3, "count": 20, "inner": 6})
        self.assertEqual(compare_torch.one_axis_of((3, 4, 5), (0, 2)), {})

    def test_bounds_medians_as_the_other_programs_do(self):
        self.assertEqual(compare_torch.interval_of(list(range(15, 0, -1))),
                         {"low": 4, "median": 8, "high": 12})
        self.assertEqual(compare_torch.interval_of([3]), {"low": 3, "median": 3, "high": 3})


class Degrees(unittest.TestCase):
    def test_share_all_elements_out_the_same_each_time(self):
        for degrees in compare_torch.DEGREES:
            for rows in (1, 2, 3, 7, 64, 1000, 1023):
                total = compare_torch.usual_elements(degrees, rows) or 8 * rows
                lengths = compare_torch.lengths_of_degrees(degrees, rows, total)
                self.assertEqual((len(lengths), sum(lengths)), (rows, total), degrees)
                self.assertGreaterEqual(min(lengths), 0)
                compare_torch.lengths_of_degrees.cache_clear()
                self.assertEqual(compare_torch.lengths_of_degrees(degrees, rows, total), lengths)

    def test_are_those_of_compare_cub(self):
        """The same sums of a row's number times its elements stand in compare_degrees_test.cpp."""
        sums = {"equal": 4004000, "rmat": 8309031, "mesh": 2437692, "lognormal": 74198311,
                "half-empty": 3949365}
        for degrees, expected in sums.items():
            total = compare_torch.usual_elements(degrees, 1000) or 8000
            lengths = compare_torch.lengths_of_degrees(degrees, 1000, total)
            self.assertEqual(sum((i + 1) * n for i, n in enumerate(lengths)), expected, degrees)


class Refusal(unittest.TestCase):
    def run_with(self, torch):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "torch.py"), "w", encoding="utf-8") as file:
                file.write(torch)
            return subprocess.run([sys.executable, "-B", SCRIPT, "--shape", "4x5"], text=True,
                                  env={**os.environ, "PYTHONPATH": folder}, capture_output=True,
                                  check=False)

    def test_is_one_line_where_torch_is_missing(self):
        ended = self.run_with("raise ImportError('none here')")
        self.assertEqual((ended.returncode, ended.stdout), (2, ""))
        self.assertEqual(ended.stderr, "compare_torch.py: this Python has no PyTorch: none here\n")

    def test_is_one_line_where_there_is_no_gpu(self):
        ended = self.run_with("class cuda:\n    is_available = staticmethod(lambda: False)\n")
        self.assertEqual((ended.returncode, ended.stderr),
                         (2, "compare_torch.py: PyTorch finds no GPU\n"))


class FakeTensor:
    def __init__(self, torch, extents, size):
        self.torch, self.extents, self.size = torch, extents, size

    def numel(self):
        return compare_torch.math.prod(self.extents)

    def element_size(self):
        return self.size

    def clone(self):
        return self

    def to(self, dtype):
        return FakeTensor(self.torch, self.extents, dtype)

    def add_(self, _):
        self.torch.queue(2)


class FakeTorch:
    """Small kernels take 2 us and reductions 5; a graph takes what it holds."""
    float32, uint8, int8, __version__ = 4, 1, 1, "fake"

    def __init__(self):
        self.now, self.captured = 0.0, None
        properties = types.SimpleNamespace(L2_cache_size=1 << 10, multi_processor_count=2)
        self.cuda = types.SimpleNamespace(
            get_device_properties=lambda _: properties, synchronize=lambda: None, graph=self.graph,
            CUDAGraph=lambda: types.SimpleNamespace(), Event=lambda enable_timing: FakeEvent(self))

    def queue(self, us):
        if self.captured is None:
            self.now += us
        else:
            self.captured += us

    @contextlib.contextmanager
    def graph(self, graph):
        self.captured = 0
        yield
        us, self.captured = self.captured, None
        graph.replay = lambda: self.queue(us)

    def zeros(self, *extents, dtype=4, device=None):
        return FakeTensor(self, extents, dtype)

    def randint(self, low, high, extents, dtype, device):
        return FakeTensor(self, extents, dtype)

    def sum(self, x, dim):
        self.queue(5)
        return FakeTensor(self, [n for i, n in enumerate(x.extents) if i not in dim], 4)


    def max(self, x, dim):
        self.queue(6)
        kept = [n for i, n in enumerate(x.extents) if i != dim]
        return FakeTensor(self, kept, 4), FakeTensor(self, kept, 8)

    def var_mean(self, x, dim, correction):
        self.queue(7 + correction)
        kept = [n for i, n in enumerate(x.extents) if i not in dim]
        return FakeTensor(self, kept, 4), FakeTensor(self, kept, 4)


class FakeEvent:
    def __init__(self, torch):
        self.torch = torch

    def record(self):
        self.at = self.torch.now

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return (end.at - self.at) / 1e3


class OwnShares(unittest.TestCase):
    def test_are_what_the_reduction_adds(self):
        for words in ([], ["--cold"]):
            options = parse("--shape", "8x5", "--axis", "1", "--rounds", "6", *words)
            cell = compare_torch.measure(FakeTorch(), options, "sum", "f32", *options.problems[0])
            self.assertEqual((cell["shape"], cell["moved_bytes"]), ("8x[5]", 8 * 5 * 4 + 8 * 4))
            self.assertEqual(cell["state"], "measured")
            for mode, executions in (("between", 112), ("stream", 223)):
                times = cell[mode]["torch"]
                self.assertEqual(len(times["samples_us"]), 6)
                self.assertAlmostEqual(times["time_us"]["median"], 5)
                self.assertAlmostEqual(times["gb_per_s"], 192 / 5e3)
                self.assertEqual(times["executions"], executions)  # of 9 us, in 1 and 2 ms

    def test_of_several_results_move_all_of_them(self):
        options = parse("--shape", "8x5", "--axis", "1", "--rounds", "6")
        for op, us, moved in (("max_argmax", 6, 8 * 12), ("mean_variance", 7, 8 * 8),
                              ("mean_sample_variance", 8, 8 * 8)):
            cell = compare_torch.measure(FakeTorch(), options, op, "f32", *options.problems[0])
            self.assertEqual((cell["state"], cell["moved_bytes"]), ("measured", 160 + moved))
            self.assertAlmostEqual(cell["between"]["torch"]["time_us"]["median"], us)

    def test_leave_out_what_torch_has_not(self):
        options = parse("--shape", "8x5x2")
        cell = compare_torch.measure(FakeTorch(), options, "argmax", "f32", *options.problems[0])
        self.assertEqual((cell["state"], cell["note"]),
                         ("skipped", "torch has no argmax of several axes"))


if __name__ == "__main__":
    unittest.main()
