# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""redtune.h through a foreign-function interface: Python's ctypes. Usage: ctypes_test.py LIBRARY"""
import ctypes
import sys


class Array(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t)] + [(name, ctypes.c_int64) for name in
                                              ("count", "outer", "inner", "outer_pitch",
                                               "count_pitch")]


class OlderProblem(ctypes.Structure):
    """As interface 1 began."""
    _fields_ = [("size", ctypes.c_size_t), ("op", ctypes.c_char_p), ("type", ctypes.c_char_p),
                ("count", ctypes.c_int64)] + [(name, ctypes.c_char_p) for name in
                                              ("acc", "out", "cache_mode", "order", "op_source")]


class Problem(OlderProblem):
    _fields_ = [("array", ctypes.POINTER(Array))]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p),
                ("cache_file", ctypes.c_char_p), ("minimum_match", ctypes.c_char_p),
                ("pinned", ctypes.c_int), ("strict", ctypes.c_int),
                ("snapshot", ctypes.c_char_p)]


redtune = ctypes.CDLL(sys.argv[1])
redtune.redtune_last_error.restype = ctypes.c_char_p
redtune.redtune_answer_match.restype = ctypes.c_char_p
redtune.redtune_reducer_reduce_host.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64,
                                                ctypes.c_void_p]


def checked(status):
    if status != 0:
        sys.exit(f"status {status}: {redtune.redtune_last_error().decode()}")


problem = OlderProblem(size=ctypes.sizeof(OlderProblem), op=b"max", type=b"f64", count=5)
options = Options(size=ctypes.sizeof(Options), device=b"host", cache_file=b"/nonexistent/redtune.db")
reducer = ctypes.c_void_p()
checked(redtune.redtune_reducer_create(ctypes.byref(problem), ctypes.byref(options),
                                       ctypes.byref(reducer)))
values = (ctypes.c_double * 5)(3, 1, 4, 1, 5)
largest = ctypes.c_double()
checked(redtune.redtune_reducer_reduce_host(reducer, values, 5, ctypes.byref(largest)))
answer = ctypes.c_void_p()
redtune.redtune_reducer_answer.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
checked(redtune.redtune_reducer_answer(reducer, 5, ctypes.byref(answer)))
match = redtune.redtune_answer_match(answer)
redtune.redtune_answer_destroy(answer)
redtune.redtune_reducer_destroy(reducer)

problem.op = b"maxx"
status = redtune.redtune_reducer_create(ctypes.byref(problem), None, ctypes.byref(reducer))
said = redtune.redtune_last_error().decode()
if (largest.value, match, status) != (5.0, b"default", 2) or "did you mean 'max'" not in said:
    sys.exit(f"wrong: {largest.value} {match} {status} {said}")

redtune.redtune_reduce_axes.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                                        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
redtune.redtune_reducer_launch_array.argtypes = [ctypes.c_void_p] * 6
array = Array(size=ctypes.sizeof(Array))
checked(redtune.redtune_reduce_axes((ctypes.c_int64 * 2)(2, 3), (ctypes.c_int64 * 2)(4, 1), 2,
                                    (ctypes.c_int64 * 1)(-1), 1, ctypes.byref(array)))
problem = Problem(size=ctypes.sizeof(Problem), op=b"max", type=b"f64", array=ctypes.pointer(array))
checked(redtune.redtune_reducer_create(ctypes.byref(problem), ctypes.byref(options),
                                       ctypes.byref(reducer)))
rows = (ctypes.c_double * 7)(3, 1, 4, 99, 1, 5, 2)
largest_of = (ctypes.c_double * 2)()
checked(redtune.redtune_reducer_launch_array(reducer, rows, ctypes.byref(array), largest_of, None,
                                             None))
checked(redtune.redtune_reducer_synchronize(reducer, None))
redtune.redtune_reducer_destroy(reducer)
if list(largest_of) != [4, 5]:
    sys.exit(f"wrong: {list(largest_of)}")
print("all well")
