# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

"""redtune.h through a foreign-function interface: Python's ctypes. Usage: ctypes_test.py LIBRARY"""
import ctypes
import sys


class Problem(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("op", ctypes.c_char_p), ("type", ctypes.c_char_p),
                ("count", ctypes.c_int64)] + [(name, ctypes.c_char_p) for name in
                                              ("acc", "out", "cache_mode", "order", "op_source")]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p),
                ("cache_file", ctypes.c_char_p), ("minimum_match", ctypes.c_char_p),
                ("pinned", ctypes.c_int), ("reserved", ctypes.c_int)]


redtune = ctypes.CDLL(sys.argv[1])
redtune.redtune_last_error.restype = ctypes.c_char_p
redtune.redtune_answer_match.restype = ctypes.c_char_p
redtune.redtune_reducer_reduce_host.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64,
                                                ctypes.c_void_p]


def checked(status):
    if status != 0:
        sys.exit(f"status {status}: {redtune.redtune_last_error().decode()}")


problem = Problem(size=ctypes.sizeof(Problem), op=b"max", type=b"f64", count=5)
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
print("all well")
