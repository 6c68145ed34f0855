# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""What the package does beside reducing: Reducers, look-ups, kernels, the program, threads, forks, memory, exit."""

import contextlib
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import types
import unittest
import unittest.mock
from pathlib import Path

import numpy
from arrays import FULL, some

import redtune
from redtune import _libraries, _library, _plan, _program, _redtune

ROW_SUM = """
// redtune: kernel  row_sum<BLOCK>
// redtune: tune    BLOCK = 64, 128  default 128
// redtune: size    rows = 8
// redtune: size    n = 100
// redtune: launch  block = BLOCK  grid = rows
// redtune: arg     float out[rows] out
// redtune: arg     const float in[rows * n] uniform(-1, 1)
// redtune: arg     int n
// redtune: arg     float scale = 0.5
// redtune: arg     constant float weight[1] constant(1)
// redtune: check   out within 1e-4
__constant__ float weight[1];
template <int BLOCK>
__global__ void row_sum(float* out, const float* in, int n, float scale) {
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += in[blockIdx.x * n + i];
    out[blockIdx.x] = sum * scale * weight[0];
  }
}
"""


class AReducer(unittest.TestCase):
    def test_is_resolved_once_and_called_with_any_shape(self):
        reducer = redtune.Reducer("sum", numpy.float32, shape=(4, 100), dim=1).prepare()
        self.assertEqual(repr(reducer), "redtune.Reducer('sum', 'f32', dim=1, keepdim=False)")
        for rows, columns in ((4, 100), (7, 3), (1, 5), (3, 0), (0, 5)):
            x = some(numpy.float32, (rows, columns))
            self.assertTrue(numpy.allclose(reducer(x), x.sum(1), atol=1e-4))
        self.assertEqual((reducer.device, reducer.answer.match), ("host", "default"))
        self.assertGreaterEqual(reducer.hits("default"), 4)
        self.assertEqual(reducer.answer.settings.keys() > {"block_size"}, True)
        out = numpy.empty(4, numpy.float32)
        self.assertIs(reducer(some(numpy.float32, (4, 100)), out=out), out)

    def test_takes_types_by_any_name_and_results_as_functions_do(self):
        for dtype in ("f32", "float32", numpy.float32, numpy.dtype("f4")):
            reducer = redtune.Reducer("mean_variance", dtype, 100, device="host")
            self.assertEqual(reducer(numpy.ones(100, numpy.float32)), (1, 0))
        wide = redtune.Reducer("sum", "f16", 100, acc_dtype="f32", device="cpu")
        self.assertEqual(wide(numpy.ones(100, numpy.float16)).dtype, numpy.float32)
        kept = redtune.Reducer("argmax", numpy.int32, (3, 5), -1, keepdim=True)
        self.assertEqual(kept(numpy.eye(3, 5, dtype=numpy.int32)).tolist(), [[0], [1], [2]])

    def test_refuses_other_types_and_devices(self):
        reducer = redtune.Reducer("sum", numpy.float32)
        with self.assertRaisesRegex(TypeError, "this Reducer is for float32, and the array is of int32"):
            reducer(numpy.zeros(3, numpy.int32))
        with self.assertRaisesRegex(redtune.UsageError, "unknown device 'hots'"):
            redtune.Reducer("sum", "f32", device="hots:0").prepare()
        with self.assertRaisesRegex(TypeError, "there is no option 'pinnde'; there are cache_file"):
            redtune.Reducer("sum", "f32", pinnde=True)
        with self.assertRaisesRegex(redtune.UsageError, "did you mean 'sum'"):
            redtune.Reducer("summ", "f32")
        with self.assertRaises(redtune.UnmetMatch):
            redtune.Reducer("sum", "f32", device="host", strict=True).prepare()
        with self.assertRaises(redtune.UsageError):
            redtune.Reducer("sum", "f32", shape=(0, 3), dim=1)

    def test_takes_an_operator_of_ones_own(self):
        text = """struct custom {
          static accumulator identity() { return 0; }
          static accumulator combine(accumulator a, accumulator b) { return a + b; }
          static accumulator transform(element x) { return x < 0 ? -x : x; }
        };"""
        magnitudes = redtune.Reducer("l1_norm", numpy.float32, 100, op_source=text)
        self.assertEqual(magnitudes(numpy.full(100, -2, numpy.float32)), 200)


class LookUps(unittest.TestCase):
    def test_tell_what_is_known_and_where_it_is_from(self):
        answer = redtune.query("sum", "f32", 2**20, device="host")
        self.assertEqual((answer.match, answer.time_us, answer.source, answer.family), ("default", None, "", "reduce"))
        self.assertIn("redtune tune", answer.why)
        self.assertEqual(redtune.query("sum", numpy.float32, (64, 1000), 1).family, "reduce_rows")
        with self.assertRaises(redtune.UnmetMatch):
            redtune.query("sum", "f32", device="host", minimum_match="exact")
        with self.assertRaises(redtune.UsageError):
            redtune.query("sum", "f32", 2**20, device="host", minimum_match="exakt")

    def test_errors_are_those_of_python_as_well(self):
        for error, builtin in ((redtune.Error, RuntimeError), (redtune.UsageError, ValueError),
                               (redtune.UnmetMatch, LookupError), (redtune.IoError, OSError),
                               (redtune.DeviceError, redtune.Error)):
            self.assertTrue(issubclass(error, builtin) and issubclass(error, redtune.Error))
        try:
            redtune.query("sum", "f32", device="host", snapshot="sha256:" + "0" * 64)
        except redtune.IoError as error:
            self.assertEqual(len(str(error).splitlines()), 1)
        else:
            self.fail("a snapshot that is not there was used")


class TheProgram(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = str(Path(folder.name) / "results-v1.db")

    def test_tunes_with_progress_and_functions_get_what_it_found(self):
        events = []
        run = redtune.tune("sum", numpy.float16, 2**12, device="host", budget="2", cache_mode="warm", force_noisy=True,
                           cache_file=self.cache, progress=events.append)
        self.assertIn("trial", {event["event"] for event in events})
        self.assertEqual((run.number, run.document["problem"]["out"]), (1, "f16"))
        self.assertGreater(run.time_us.median, 0)
        found = redtune.query("sum", numpy.float16, 2**12, cache_mode="warm", cache_file=self.cache)
        self.assertEqual((found.match, found.settings), ("exact", run.settings))
        self.assertGreater(found.gain.median, 0)
        self.assertNotEqual(found.tuned_at, "")
        page = redtune.report(run, cache_file=self.cache)
        self.assertIn("<iframe srcdoc=", page._repr_html_())
        self.assertTrue(page.save(self.cache + ".html").read_text().startswith("<!DOCTYPE html>"))

    def test_raises_what_the_function_that_is_told_raises(self):
        told = []

        def fails(event):
            told.append(event)
            raise KeyError("mine")

        open_before = len(os.listdir("/proc/self/fd"))
        with self.assertRaisesRegex(KeyError, "mine"):
            redtune.tune("sum", numpy.float32, 2**10, device="host", budget="2", force_noisy=True, cache_file=self.cache,
                         progress=fails)
        self.assertEqual(len(told), 1)
        with unittest.mock.patch("redtune._program.subprocess.Popen", side_effect=OSError), self.assertRaises(OSError):
            redtune.tune("sum", numpy.float32, 2**10, device="host", progress=False)
        self.assertEqual(len(os.listdir("/proc/self/fd")), open_before)

    def test_says_what_is_wrong_in_one_line(self):
        with self.assertRaisesRegex(redtune.UsageError, "^unknown strategy 'gird'.*did you mean 'grid'") as caught:
            redtune.tune("sum", "f32", 2**12, device="host", strategy="gird", progress=False)
        self.assertEqual(len(str(caught.exception).splitlines()), 1)
        with self.assertRaisesRegex(redtune.UsageError, "of an operator or of a file"):
            redtune.tune("sum", file="row_sum.hip.cpp")

    def test_lists_devices_and_wishes(self):
        self.assertEqual([d.device for d in redtune.devices() if d.platform == "host"], ["host"])
        self.assertTrue(all(d.usable or d.problem for d in redtune.devices()))
        self.assertEqual(redtune.wanted(self.cache), [])

    def test_knows_what_functions_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder, "REDTUNE_WANTED": "on"}
            text = ("import numpy, redtune\nfor n in (3, 100, 101, 2000): redtune.sum(numpy.ones((4, n), numpy.float32), 1)\n"
                    "print()")
            subprocess.run([sys.executable, "-B", "-c", text], env=environment, check=True, capture_output=True)
            listed = subprocess.run([_program.program(), "wanted", "--json"], env=environment, check=True,
                                    capture_output=True, text=True).stdout
        counts = sorted(row["problem"]["count"] for row in json.loads(listed)["wanted"])
        self.assertEqual(counts, [3, 100, 2000])

    def test_shows_progress_in_a_terminal_and_in_a_notebook(self):
        class Terminal:
            text = ""

            def isatty(self):
                return True

            def write(self, text):
                self.text += text

            def flush(self):
                pass

        event = {"event": "trial", "trials": 3, "share": 0.5, "best_us": 12.5, "seconds_left": 4.0}
        bar = _program._Bar(Terminal())
        bar(event)
        bar({"event": "note"})
        self.assertIn("[##########          ] 3 trials, best 12.5 us, 4 s left", bar._stream.text)
        shown = []
        bar._display = lambda page, display_id: shown.append(page) or self
        self.update = shown.append
        bar(event)
        bar(event)
        self.assertEqual(len(shown), 2)
        self.assertIn("<progress value='0.500'", shown[1]._repr_html_())

    def test_is_looked_for_where_it_may_be(self):
        before = os.environ.pop("REDTUNE_PROGRAM", None)
        path = os.environ["PATH"]
        try:
            os.environ["REDTUNE_PROGRAM"] = "/bin/true"
            self.assertEqual(_program.program(), "/bin/true")
        finally:
            os.environ["PATH"] = path
            os.environ.pop("REDTUNE_PROGRAM")
            if before is not None:
                os.environ["REDTUNE_PROGRAM"] = before

    def test_may_be_at_a_path_of_few_folders(self):
        with unittest.mock.patch.object(_library, "SITE", "lib/python3/dist-packages"):
            for package, expected in (("/redtune", []), ("/a/redtune", []), ("/usr/lib/python3/dist-packages/redtune", ["/usr"])):
                self.assertEqual([str(prefix) for prefix in _library.prefix_of(Path(package))], expected)


class AKernel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "row_sum.hip.cpp"
        self.file.write_text(ROW_SUM)

    def test_is_launched_with_arrays_numbers_and_sizes_by_name(self):
        kernel = redtune.Kernel(str(self.file), device="host", cache_mode="warm")
        self.assertEqual(kernel.size_names, ("rows", "n"))
        self.assertEqual(kernel.arguments, (("out", "buffer"), ("in", "buffer"), ("n", "i32"), ("scale", "f32")))
        kernel.set_constant("weight", numpy.array([2], numpy.float32))
        self.assertIs(kernel.prepare(rows=5, n=30), kernel)
        x, out = some(numpy.float32, (5, 30)), numpy.zeros(5, numpy.float32)
        kernel.launch(out, x, 30, 0.5, rows=5, n=30)
        kernel.synchronize()
        self.assertTrue(numpy.allclose(out, x.sum(1), atol=1e-5))
        self.assertEqual((kernel.answer(rows=5, n=30).match, kernel.elements("in", rows=5, n=30)), ("default", 150))

    def test_refuses_what_it_does_not_take(self):
        kernel = redtune.Kernel(str(self.file), device="host")
        with self.assertRaisesRegex(redtune.UsageError, "its size n was not given: n=N"):
            kernel.prepare(rows=5)
        with self.assertRaisesRegex(redtune.UsageError, "has no size m; its sizes are rows, n"):
            kernel.prepare(rows=5, m=3)
        x = numpy.zeros(150, numpy.float32)
        with self.assertRaisesRegex(redtune.UsageError, "takes 4 arguments, out, in, n, scale; 2 were given"):
            kernel.launch(x, x, rows=5, n=30)
        with self.assertRaisesRegex(redtune.UsageError, "argument n is a number of type i32, and 2.5 is none"):
            kernel.launch(x, x, 2.5, 0.5, rows=5, n=30)
        with self.assertRaises(redtune.UsageError):
            redtune.Kernel(str(self.file) + "x")


class Processes(unittest.TestCase):
    def test_threads_reduce_at_the_same_time(self):
        x = some(numpy.int32, (16, 1000))
        expected = x.sum(1)
        reducer = redtune.Reducer("sum", numpy.int32, x.shape, 1)
        wrong = []

        def work():
            for _ in range(200):
                if not (redtune.sum(x, 1) == expected).all() or not (reducer(x) == expected).all():
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_python_runs_while_a_reduction_is_waited_for(self):
        x = numpy.ones(2**25, numpy.float32)
        reducer = redtune.Reducer("logsumexp", numpy.float32, x.shape).prepare()
        turns, is_done = [0], threading.Event()

        def count():
            while not is_done.is_set():
                turns[0] += 1
                time.sleep(0)  # gives the lock away

        counter = threading.Thread(target=count)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)  # nobody else gives it away unless asked to
        try:
            counter.start()
            before = turns[0]
            reducer(x)
            during = turns[0] - before
            is_done.set()
            counter.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertGreater(during, 10)

    def run_program(self, text):
        # Python 3.12 warns of every fork of a program with threads.
        python = [sys.executable, "-B", "-W", "ignore::DeprecationWarning"]
        return subprocess.run([*python, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=100,
                              check=False)

    def test_a_fork_begins_with_kernels_of_its_own(self):
        done = self.run_program("""
            import gc, os, numpy, redtune
            x = numpy.arange(10000, dtype=numpy.int32)
            reducer = redtune.Reducer("sum", numpy.int32, x.shape)
            handle = redtune._plan.shared
            assert redtune.sum(x) == reducer(x) == x.sum()
            core = reducer._core
            child = os.fork()
            if child == 0:
                try:
                    core.launch(reducer._layout.array, x.ctypes.data, x.ctypes.data, 0)
                except RuntimeError as error:
                    assert "before the process was forked" in str(error), error
                assert redtune.sum(x) == reducer(x) == x.sum()
                del core, reducer
                gc.collect()
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
            assert redtune.sum(x) == reducer(x) == x.sum()
        """)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_interpreter_may_end_at_any_time(self):
        for ending in ("", "raise SystemExit(0)", "reducer = None", "import gc; gc.collect()",
                       "import threading; threading.Thread(target=lambda: [redtune.sum(x) for _ in range(10**7)], "
                       "daemon=True).start(); import time; time.sleep(0.05)"):
            done = self.run_program(f"""
                import numpy, redtune
                x = numpy.ones(10000, numpy.float32)
                reducer = redtune.Reducer("sum", numpy.float32, x.shape).prepare()
                assert redtune.sum(x) == reducer(x) == 10000
                {ending}
            """)
            self.assertEqual((done.returncode, done.stderr), (0, ""), ending)

    def test_calls_leave_nothing_behind(self):
        x = numpy.ones((2, 8), numpy.float32)
        out = numpy.empty(2, numpy.float32)
        reducer = redtune.Reducer("sum", numpy.float32, x.shape, 1).prepare()

        def call(times):
            for _ in range(times):
                reducer(x, out=out)
                redtune.max_argmax(x, 1)
                for wrong in (lambda: redtune.sum(x, 5), lambda: redtune.sum(x[::-1])):
                    try:
                        wrong()
                    except redtune.UsageError:
                        pass

        calls = 100_000 if FULL else 10_000
        call(1000)
        gc.collect()
        before, blocks = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.getallocatedblocks()
        call(calls)
        for _ in range(10 * calls):
            reducer(x, out=out)
        gc.collect()
        self.assertLess(sys.getallocatedblocks() - blocks, 1000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)

    def test_of_many_shapes_plans_are_given_up(self):
        for length in range(_plan.MOST_PLANS + 10):
            redtune.sum(numpy.ones(length, numpy.float32))
        self.assertLessEqual(len(_plan.shared.plans), _plan.MOST_PLANS)


class Module(unittest.TestCase):
    def test_refuses_what_no_caller_gives(self):
        for call in (lambda: _redtune.launch(1, 2), lambda: _redtune.call(1, 2, None), lambda: _redtune.keep_call(1),
                     lambda: _redtune.call(_redtune.calls_create(), *[None] * 7), lambda: _redtune.launcher_create(None, 1),
                     lambda: _redtune.reducer_create((1,), ()),
                     lambda: _redtune.reducer_device(None), lambda: _redtune.find_best("sum", None),
                     lambda: _redtune.reduce_axes((1, 2), (1,), ()), lambda: _redtune.dlpack("x")):
            self.assertRaises((TypeError, ValueError), call)
        with self.assertRaises((TypeError, ValueError)):
            redtune.query("s\0um", "f32", device="host")

    def test_is_of_the_limited_api(self):
        self.assertTrue(_redtune.__file__.endswith("_redtune.abi3.so"))
        self.assertEqual(redtune.__version__, _redtune.version)


class AStream(unittest.TestCase):
    def test_that_is_given_is_the_current_one_for_results_and_copies(self):
        current, during = [5], []

        class Library(_libraries.NumPy):
            def within(self, handle, device):
                current.append(handle)
                return contextlib.closing(types.SimpleNamespace(close=current.pop))

            def empty(self, shape, dtype, x):
                during.append(("empty", current[-1]))
                return super().empty(shape, dtype, x)

            def fill_in(self, out, values):
                during.append(("copy", current[-1]))
                super().fill_in(out, values)

        before = _libraries._of_type.get(numpy.ndarray)
        _libraries._of_type[numpy.ndarray] = Library()
        try:
            redtune.argmax(numpy.eye(3), 1, out=numpy.empty(3, numpy.int64), stream=77)
            redtune.argmax(numpy.eye(3), 1)
        finally:
            _libraries._of_type[numpy.ndarray] = before or _libraries.library_named("numpy")
        self.assertEqual(during, [("empty", 77), ("copy", 77), ("empty", 5)])


class Capturing(unittest.TestCase):
    """What a library that captures a graph is told; graphs themselves are for GPUs."""

    class Library(_libraries.Library):
        name = "a library that captures"

        def is_capturing(self, device):
            return True

    def test_compiles_nothing(self):
        x = numpy.ones(5, numpy.int16)
        library = self.Library()
        library.view = _libraries.library_of(x).view
        with self.assertRaisesRegex(redtune.UsageError, "nothing is compiled while a graph is captured"):
            _plan.new_plan("bit_xor", library, library.view(x), None, False, None, "any", False)
        with self.assertRaisesRegex(redtune.UsageError, r"prepare\(\) the Reducer before"):
            redtune.Reducer("sum", numpy.int16)._new_plan(library, library.view(x))


class Launchers(unittest.TestCase):
    """Of a GPU, for which the host stands here: it looks at no stream."""

    def made(self):
        self.x, self.out = numpy.ones(100, numpy.int32), numpy.empty(1, numpy.int64)
        reducer = redtune.Reducer("sum", numpy.int32, self.x.shape).prepare()
        return reducer._layout.array, _redtune.launcher_create(reducer._core.handle, False)

    def launch(self, launcher, array, stream):
        self.out[0] = 0
        _redtune.launch(launcher, array, self.x.ctypes.data, self.out.ctypes.data, stream)
        self.assertEqual(self.out[0], 100)

    def test_have_memory_for_each_of_some_streams(self):
        array, launcher = self.made()
        for stream in (1, 2, 1, 2, 1):
            self.launch(launcher, array, stream)
        self.assertEqual(_redtune.launcher_workspaces(launcher), (2, 0))
        for stream in range(1000):
            self.launch(launcher, array, stream)
        self.assertEqual(_redtune.launcher_workspaces(launcher), (64, 0))

    def test_have_memory_for_graphs_that_no_stream_has(self):
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "captures.c"), os.path.join(folder, "captures.so")
            with open(source, "w", encoding="utf-8") as file:
                file.write("int redtune_reducer_is_capturing(const void* reducer, void* stream) { return stream == (void*)77; }")
            subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", source, "-o", library], check=True)
            test = f"{os.path.basename(__file__)[:-3]}.Launchers.in_a_process_whose_stream_77_is_captured"
            done = subprocess.run([sys.executable, "-B", "-m", "unittest", test], cwd=os.path.dirname(__file__) or ".",
                                  env={**os.environ, "LD_PRELOAD": library}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def in_a_process_whose_stream_77_is_captured(self):
        array, launcher = self.made()
        for stream, streams in ((77, 0), (1, 1), (77, 1), (5, 2)):
            self.launch(launcher, array, stream)
            self.assertEqual(_redtune.launcher_workspaces(launcher)[0], streams)


if __name__ == "__main__":
    unittest.main()
