// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

/* redtune for C, and for every language that can call C: tuned reductions, ready to launch, and the
 * best known configuration for those who launch kernels themselves. docs/reference/c_api.md.
 *
 * Functions return a redtune_status; when it is not 0, redtune_last_error() says why, and what was
 * to be written is not. Texts are UTF-8, end in a zero, and belong to the object they were asked
 * of. Structs begin with their size, so that a program may be older or younger than the library. */
#ifndef REDTUNE_H
#define REDTUNE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__GNUC__)
#define REDTUNE_C_API __attribute__((visibility("default")))
#else
#define REDTUNE_C_API
#endif

enum redtune_status {
  REDTUNE_DONE = 0,
  REDTUNE_FAILED = 1,
  REDTUNE_USAGE = 2,  /* the request itself is wrong, or names a device that is not there */
  REDTUNE_MISSED = 4, /* a look-up found less than was demanded */
  REDTUNE_DEVICE = 6, /* the device, its driver or its compiler fails */
  REDTUNE_IO = 74
};

/* Of the library, e.g. "0.1.0". */
REDTUNE_C_API const char* redtune_version(void);
/* Of the functions and structs of this header, which is of interface 1: raised when something is
 * removed. The number in libredtune.so.N is of the C++ API too, and rises more often. */
REDTUNE_C_API int redtune_abi_version(void);
/* Of this thread, until its next call of a function that returns a status. Never null. */
REDTUNE_C_API const char* redtune_last_error(void);

/* An array of outer x count x inner elements, the last index counting fastest, of which the middle
 * axis is reduced: outer x inner results, which lie one behind the other. Rows have an inner of 1,
 * columns an outer of 1. Set size to sizeof(redtune_array); redtune_reduce_axes fills in the rest
 * for an array of any rank. A batch of such arrays, batch x outer x count with an inner of 1, is
 * reduced over its first axis too: outer results. Or an array of count elements, outer and inner 1,
 * with segments of any lengths that offsets tell of when they are launched: a result of each. */
typedef struct redtune_array {
  size_t size;
  int64_t count;       /* elements of each result, from 0 */
  int64_t outer;       /* results along the axes before that of the elements, from 1 */
  int64_t inner;       /* and along those behind, from 1: how far apart a result's elements lie */
  int64_t outer_pitch; /* elements from one outer index to the next; 0: no gap */
  int64_t count_pitch; /* and from one element of a result to the next; 0: no gap */
  int64_t batch;       /* arrays over which each result is reduced as well; 0 or 1: there is one */
  int64_t batch_pitch; /* elements from one of them to the next; 0: no gap */
  int64_t segments;    /* how many there are, where offset_bits is not 0 */
  int64_t offset_bits; /* of an offset, 32 or 64; 0: there are no segments */
  const char* skew;    /* how their lengths are spread: "uniform", "zipf", "giant"; null: uniform */
} redtune_array;

/* What is to be reduced. Set size to sizeof(redtune_problem) and what is not needed to null. */
typedef struct redtune_problem {
  size_t size;
  const char* op;             /* "sum", "argmin", ...: docs/reference/operators.md */
  const char* type;           /* of an element: "f32", "bf16", "i8", ... */
  int64_t count;              /* elements, the count to look up */
  const char* acc;            /* type of the accumulator; null: as the operator has it */
  const char* out;            /* type of the result; null: as the operator has it */
  const char* cache_mode;     /* "cold" or "warm"; null: cold */
  const char* order;          /* "fixed", "any" or "rows"; null: fixed */
  const char* op_source;      /* text of an operator of your own; op is then its name */
  const redtune_array* array; /* instead of count, which is 0 then; null: count elements in a row */
} redtune_problem;

/* Null in place of a pointer to one: all defaults. */
typedef struct redtune_options {
  size_t size;
  const char* device;     /* "auto", "host", "hip:0", "cuda:1"; null: auto */
  const char* cache_file; /* a results file; null: $REDTUNE_CACHE, else the user's and the site's */
  const char* minimum_match; /* "exact", "drift", "sibling", "near", "predicted", "default"; null:
                                default */
  int pinned;                /* not 0: the same bits as long as the results file is the same */
  int strict;                /* not 0: what nobody tuned is an error: REDTUNE_MISSED */
  const char* snapshot; /* "sha256:...", the snapshot that answers alone; null: $REDTUNE_SNAPSHOT */
} redtune_options;

/* What a problem computes in and gives. Set size to sizeof(redtune_result). */
typedef struct redtune_result {
  size_t size;
  const char* acc;   /* type of the accumulator */
  const char* out;   /* type of the result, or of each of its values */
  const char* shape; /* "value"; "indexed": a value, and an int64_t at byte 8; "pair": two values;
                        "members": the struct of a text */
  int64_t bytes;     /* of one result */
  int64_t results;   /* how many there are, one behind the other */
} redtune_result;

/* Where segments of an array begin and end, in elements: addresses of signed offsets in device
 * memory, in order; none begins before the one ahead has ended. Set size to
 * sizeof(redtune_segments). */
typedef struct redtune_segments {
  size_t size;
  const void* begins; /* an offset for each */
  const void* ends;   /* likewise; null: they lie one behind the other, and begins has one more */
  int64_t count;
  int64_t offset_bits; /* 32 or 64 */
} redtune_segments;

/* How a plan of segments is made. Set size to sizeof(redtune_plan_options) and the rest to 0. */
typedef struct redtune_plan_options {
  size_t size;
  const char* way; /* "as_found", "shares", "bins"; null: as_found */
  int measured;    /* 1: waits until the lengths are measured, and chooses by them */
  int checked;     /* 1: waits until the offsets are looked at, as by redtune_reducer_check_offsets,
                      also when it is made again */
  void* memory; /* of the device, aligned to 256 bytes, that outlives it; null: it takes its own */
  size_t bytes; /* of memory */
} redtune_plan_options;

/* How long segments are. Set size to sizeof(redtune_lengths), and the rest to 0. */
typedef struct redtune_lengths {
  size_t size;
  int64_t elements; /* of all segments together */
  int64_t longest;
  const char* skew; /* "uniform", "zipf", "giant": what comes nearest */
} redtune_lengths;

typedef struct redtune_answer redtune_answer;
typedef struct redtune_by_key redtune_by_key;
typedef struct redtune_kernel redtune_kernel;
typedef struct redtune_plan redtune_plan;
typedef struct redtune_shape redtune_shape;
typedef struct redtune_reducer redtune_reducer;
typedef struct redtune_workspace redtune_workspace;

/* Fills in *array, whose size is set, from an array of any rank and the axes of it that are
 * reduced. extents: of the axes, the last counting fastest. strides: elements from one index of
 * each axis to the next; null: without gaps. axes: from 0, or from -1 backwards; none: all.
 * Refused, with a line that names the axes, is what no redtune_array tells: reduced axes in three
 * places, or in two with kept ones behind the last, and kept ones with gaps or in an order that one
 * axis cannot have. */
REDTUNE_C_API int redtune_reduce_axes(const int64_t* extents, const int64_t* strides, size_t rank,
                                      const int64_t* axes, size_t axis_count, redtune_array* array);

/* --- What there is: names by number, from 0; null: no more. ---------------------------------- */

REDTUNE_C_API const char* redtune_op_name(size_t number);
/* Of an operator: what it gives, in a line; null where there is none of that name. */
REDTUNE_C_API const char* redtune_op_summary(const char* op);
/* Which elements it is for: "any", "floats", "integers". */
REDTUNE_C_API const char* redtune_op_takes(const char* op);
/* What a result is: "value", "indexed", "pair", as in redtune_result. */
REDTUNE_C_API const char* redtune_op_shape(const char* op);
/* What its values are called: "mean" and "variance", or "value" alone. */
REDTUNE_C_API const char* redtune_op_value_name(const char* op, size_t number);
REDTUNE_C_API const char* redtune_type_name(size_t number);
/* "floating", "signed_int", "unsigned_int"; null where there is no type of that name. */
REDTUNE_C_API const char* redtune_type_kind(const char* type);
/* Of an element; 0 where there is no type of that name. */
REDTUNE_C_API size_t redtune_type_bytes(const char* type);
/* Fills in *result, whose size is set: types that a problem leaves to its operator, too. */
REDTUNE_C_API int redtune_describe_result(const redtune_problem* problem, redtune_result* result);

/* --- Query only: nothing is compiled or launched. ------------------------------------------- */

/* For a device of this machine, options->device. */
REDTUNE_C_API int redtune_find_best(const redtune_problem* problem, const redtune_options* options,
                                    redtune_answer** answer);
/* For a device that need not be here: one of `redtune devices --json`. options->device is not
 * looked at. */
REDTUNE_C_API int redtune_find_best_for(const redtune_problem* problem, const char* device_json,
                                        const redtune_options* options, redtune_answer** answer);
/* Null is fine. */
REDTUNE_C_API void redtune_answer_destroy(redtune_answer* answer);

REDTUNE_C_API const char* redtune_answer_match(const redtune_answer* answer);
REDTUNE_C_API const char* redtune_answer_source(const redtune_answer* answer); /* "": built in */
REDTUNE_C_API const char* redtune_answer_explanation(const redtune_answer* answer);
REDTUNE_C_API const char* redtune_answer_family(const redtune_answer* answer);
/* All settings: "finish=last_block block_size=256 ...". */
REDTUNE_C_API const char* redtune_answer_settings(const redtune_answer* answer);
/* One setting by its name, e.g. "block_size"; null: there is none of that name. */
REDTUNE_C_API const char* redtune_answer_setting(const redtune_answer* answer, const char* name);
/* Names by number; null: no more. */
REDTUNE_C_API const char* redtune_answer_setting_name(const redtune_answer* answer, size_t number);

/* As measured when it was tuned, of which "low", "median" or "high": microseconds, and the time of
 * the default divided by this one's. NaN: not known, or another name. */
REDTUNE_C_API double redtune_answer_time_us(const redtune_answer* answer, const char* which);
REDTUNE_C_API double redtune_answer_gain(const redtune_answer* answer, const char* which);
/* UTC, ISO 8601; "": not known. */
REDTUNE_C_API const char* redtune_answer_tuned_at(const redtune_answer* answer);

/* How the answer is launched for a count: of several results, elements of each. */
REDTUNE_C_API int redtune_answer_shape(const redtune_answer* answer, int64_t count,
                                       redtune_shape** shape);
REDTUNE_C_API void redtune_shape_destroy(redtune_shape* shape);
REDTUNE_C_API size_t redtune_shape_launches(const redtune_shape* shape);
REDTUNE_C_API size_t redtune_shape_workspace_bytes(const redtune_shape* shape);
/* Of launch number i, from 0; 0 or null where there is none. */
REDTUNE_C_API const char* redtune_shape_kernel(const redtune_shape* shape, size_t i);
REDTUNE_C_API int64_t redtune_shape_grid(const redtune_shape* shape, size_t i);
REDTUNE_C_API int redtune_shape_block(const redtune_shape* shape, size_t i);
REDTUNE_C_API size_t redtune_shape_shared_bytes(const redtune_shape* shape, size_t i);

/* --- Reductions. ----------------------------------------------------------------------------- */

/* Looks up, then loads or compiles. */
REDTUNE_C_API int redtune_reducer_create(const redtune_problem* problem,
                                         const redtune_options* options, redtune_reducer** reducer);
/* Null is fine. Its workspaces may live on. */
REDTUNE_C_API void redtune_reducer_destroy(redtune_reducer* reducer);

/* What a launch of this count uses. The explanation holds for all counts that are served alike. */
REDTUNE_C_API int redtune_reducer_answer(const redtune_reducer* reducer, int64_t count,
                                         redtune_answer** answer);
/* Likewise for an array; of several results. Of another outer or inner extent than the problem's
 * it is that of the nearest tuned array of its kind, and where none is near that for its count. */
REDTUNE_C_API int redtune_reducer_answer_for_array(const redtune_reducer* reducer,
                                                   const redtune_array* array,
                                                   redtune_answer** answer);
/* Of this machine, as it is chosen by: "host", "cuda:0". Of "auto" what that came to. */
REDTUNE_C_API const char* redtune_reducer_device(const redtune_reducer* reducer);
/* Bytes of one result. 0: no reducer. */
REDTUNE_C_API size_t redtune_reducer_result_bytes(const redtune_reducer* reducer);
/* Launches so far whose configuration was found with this match; 0 for an unknown name. */
REDTUNE_C_API uint64_t redtune_reducer_hits(const redtune_reducer* reducer, const char* match);

/* One for all reductions that are in order: on a stream, in a graph. */
REDTUNE_C_API int redtune_workspace_create(const redtune_reducer* reducer,
                                           redtune_workspace** workspace);
REDTUNE_C_API void redtune_workspace_destroy(redtune_workspace* workspace);
/* Of device memory, enough for every launch. 0: no workspace. */
REDTUNE_C_API size_t redtune_workspace_bytes(const redtune_workspace* workspace);

/* Reduces count elements, for each result, at device address in to device address out,
 * asynchronously; all extents and pitches beside the count are the problem's. workspace:
 * null for the reducer's own, which is for one thread and stream at a time; with one of your own
 * several threads may share a reducer. stream: a hipStream_t or cudaStream_t; null for the
 * reducer's own, which is in order with the default stream and not with that of another reducer; 1
 * for the default stream itself. */
REDTUNE_C_API int redtune_reducer_launch(redtune_reducer* reducer, const void* in, int64_t count,
                                         void* out, redtune_workspace* workspace, void* stream);
/* Likewise for an array, which may have other extents and pitches than the problem's: out has place
 * for outer x inner results. The configuration is that of redtune_reducer_answer_for_array. Where
 * outer or inner is 0, a reducer of several results does nothing. */
REDTUNE_C_API int redtune_reducer_launch_array(redtune_reducer* reducer, const void* in,
                                               const redtune_array* array, void* out,
                                               redtune_workspace* workspace, void* stream);
/* Segments of an array of so many elements, each to a result: of a reducer whose problem has
 * segments, with offsets of as many bits. What becomes of offsets that are out of order, or beyond
 * the array, is not defined; redtune_reducer_check_offsets tells. */
REDTUNE_C_API int redtune_reducer_launch_segments(redtune_reducer* reducer, const void* in,
                                                  int64_t elements,
                                                  const redtune_segments* segments, void* out,
                                                  redtune_workspace* workspace, void* stream);
/* Brings the offsets to the host and looks at each. Refused, with a line that names the first
 * segment which is none, where they are not those of an array of so many elements. */
REDTUNE_C_API int redtune_reducer_check_offsets(const redtune_reducer* reducer, int64_t elements,
                                                const redtune_segments* segments);
/* A plan of segments, for many launches with the same offsets: is made on the stream, and waits for
 * nothing unless options say so. options may be null. Holds the workspace of its launches, so it is
 * for one thread and stream at a time; the offsets must stay as they were. */
REDTUNE_C_API int redtune_plan_create(const redtune_reducer* reducer, int64_t elements,
                                      const redtune_segments* segments,
                                      const redtune_plan_options* options, void* stream,
                                      redtune_plan** plan);
/* Null is fine. The reducer may be gone before. */
REDTUNE_C_API void redtune_plan_destroy(redtune_plan* plan);
/* Of device memory that a plan takes; and that is enough for one of so many segments. */
REDTUNE_C_API size_t redtune_plan_bytes(const redtune_plan* plan);
REDTUNE_C_API int redtune_reducer_plan_bytes(const redtune_reducer* reducer, int64_t elements,
                                             int64_t segments, const redtune_plan_options* options,
                                             size_t* bytes);
REDTUNE_C_API int redtune_plan_answer(const redtune_plan* plan, redtune_answer** answer);
/* Makes it again, for other offsets of as many segments of as many elements. */
REDTUNE_C_API int redtune_plan_update(redtune_plan* plan, const redtune_segments* segments,
                                      void* stream);
/* Looks at all lengths on the stream, and waits for the answer. */
REDTUNE_C_API int redtune_plan_measure(const redtune_plan* plan, void* stream,
                                       redtune_lengths* lengths);
/* Reduces the segments of a plan that the reducer has made. */
REDTUNE_C_API int redtune_reducer_launch_plan(const redtune_reducer* reducer, const void* in,
                                              redtune_plan* plan, void* out, void* stream);
/* Not 0 where somebody captures the stream into a graph: what is launched on it runs when the graph
 * is replayed, on whichever stream, and no memory can be taken now. 0: no reducer. */
REDTUNE_C_API int redtune_reducer_is_capturing(const redtune_reducer* reducer, void* stream);
REDTUNE_C_API int redtune_reducer_synchronize(const redtune_reducer* reducer, void* stream);
/* Host memory in and out: copies, launches, waits. Of a problem of several results count is of
 * each, values has the problem's extents and pitches beside it, and out all results. */
REDTUNE_C_API int redtune_reducer_reduce_host(redtune_reducer* reducer, const void* values,
                                              int64_t count, void* out);

/* --- Reductions by key. ----------------------------------------------------------------------- */

/* Values of equal neighbouring keys to one result each. The problem's array has segments: as many
 * elements as there may be, as many segments as groups are expected. key_bits: 32 or 64; keys are
 * equal where their bits are. Where groups are expected to be long it takes device memory for an
 * offset of each element. */
REDTUNE_C_API int redtune_by_key_create(const redtune_problem* problem, int key_bits,
                                        const redtune_options* options, redtune_by_key** by_key);
/* Likewise in a way that is chosen here: "tiles" or "segments"; "by_length" or null is as above. */
REDTUNE_C_API int redtune_by_key_create_in(const redtune_problem* problem, int key_bits,
                                           const char* way, const redtune_options* options,
                                           redtune_by_key** by_key);
/* Null is fine. */
REDTUNE_C_API void redtune_by_key_destroy(redtune_by_key* by_key);
REDTUNE_C_API int redtune_by_key_answer(const redtune_by_key* by_key, redtune_answer** answer);
/* Of this machine, as redtune_reducer_device tells it. */
REDTUNE_C_API const char* redtune_by_key_device(const redtune_by_key* by_key);
/* "tiles" or "segments", whichever it is. */
REDTUNE_C_API const char* redtune_by_key_way(const redtune_by_key* by_key);
/* Of device memory. 0: none there. */
REDTUNE_C_API size_t redtune_by_key_bytes(const redtune_by_key* by_key);
/* Reduces count values at device address in by the keys at device address keys, asynchronously:
 * writes the key of each group, unless keys_of_groups is null, the result of each, and how many
 * there are, all to device memory with places for as many groups as there are, at most count. For
 * one thread, and one stream, at a time. */
REDTUNE_C_API int redtune_by_key_launch(redtune_by_key* by_key, const void* keys, const void* in,
                                        int64_t count, void* keys_of_groups, void* out,
                                        int64_t* groups, void* stream);
REDTUNE_C_API int redtune_by_key_synchronize(const redtune_by_key* by_key, void* stream);

/* --- Kernels of one's own, described by comments in their file. ------------------------------- */

/* Reads the file, and what it includes; compiles nothing. cache_mode: whose results are looked up,
 * "cold" or "warm"; null: cold. options->pinned is 0. */
REDTUNE_C_API int redtune_kernel_create(const char* file, const char* cache_mode,
                                        const redtune_options* options, redtune_kernel** kernel);
/* Null is fine. Graphs that its launches were captured into are gone before. */
REDTUNE_C_API void redtune_kernel_destroy(redtune_kernel* kernel);
REDTUNE_C_API const char* redtune_kernel_device(const redtune_kernel* kernel);
/* What a launch is given, in the order of the file, by number; null: no more. */
REDTUNE_C_API const char* redtune_kernel_size_name(const redtune_kernel* kernel, size_t number);
REDTUNE_C_API const char* redtune_kernel_argument_name(const redtune_kernel* kernel, size_t number);
/* "buffer", an address; else the type of a number, "i32", or of several, "f32x4". */
REDTUNE_C_API const char* redtune_kernel_argument_type(const redtune_kernel* kernel, size_t number);
/* Looks up what is best for these sizes, one for each that the file names, in its order, and loads
 * it, or compiles it. */
REDTUNE_C_API int redtune_kernel_prepare(const redtune_kernel* kernel, const int64_t* sizes,
                                         size_t size_count);
/* Queues the kernel's launches on the stream, a hipStream_t or cudaStream_t, or null for the
 * kernel's own. arguments: for each the address of its value, as cuLaunchKernel takes them: those
 * of the description, in its order, without variables in constant memory and without numbers that
 * depend on tunables or on the device. Types are not looked at. Sizes that were not prepared are
 * prepared first. From several threads at a time, on streams of their own. */
REDTUNE_C_API int redtune_kernel_launch(const redtune_kernel* kernel, const int64_t* sizes,
                                        size_t size_count, const void* const* arguments,
                                        size_t argument_count, void* stream);
/* Copies host memory to a variable in constant memory: once before the first launch, and later
 * while no launch of this kernel is queued or runs. */
REDTUNE_C_API int redtune_kernel_set_constant(redtune_kernel* kernel, const char* name,
                                              const void* data, size_t bytes);
/* What these sizes are launched with, or would be. */
REDTUNE_C_API int redtune_kernel_answer(const redtune_kernel* kernel, const int64_t* sizes,
                                        size_t size_count, redtune_answer** answer);
/* Elements of a buffer of the description: that of scratch may depend on tunables. Prepares the
 * sizes. */
REDTUNE_C_API int redtune_kernel_elements(const redtune_kernel* kernel, const int64_t* sizes,
                                          size_t size_count, const char* buffer, int64_t* elements);
REDTUNE_C_API int redtune_kernel_synchronize(const redtune_kernel* kernel, void* stream);

#if defined(__cplusplus)
}
#endif

#endif
