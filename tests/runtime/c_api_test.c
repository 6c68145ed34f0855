// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

/* redtune.h in C: compiled strictly, and every function called rightly and wrongly. */
#include <redtune.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  printf("line %d: %s does not hold; last error: %s\n", line, what, redtune_last_error());
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)
#define EXPECT_SAID(text) EXPECT(strstr(redtune_last_error(), text) != NULL)

static redtune_problem sum_of(int64_t count) {
  redtune_problem problem = {0};
  problem.size = sizeof(problem);
  problem.op = "sum";
  problem.type = "i32";
  problem.count = count;
  return problem;
}

static redtune_options on_host(void) {
  redtune_options options = {0};
  options.size = sizeof(options);
  options.device = "host";
  options.cache_file = "/nonexistent/redtune.db";
  return options;
}

static void asks(void) {
  const redtune_problem problem = sum_of(1 << 20);
  const redtune_options options = on_host();
  redtune_answer* answer = NULL;
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_last_error(), "") == 0);
  EXPECT(strcmp(redtune_answer_match(answer), "default") == 0);
  EXPECT(strcmp(redtune_answer_source(answer), "") == 0);
  EXPECT(strcmp(redtune_answer_family(answer), "reduce") == 0);
  EXPECT(strstr(redtune_answer_explanation(answer), "redtune tune") != NULL);
  EXPECT(redtune_answer_setting(answer, "no_such") == NULL);
  const double unknown = redtune_answer_time_us(answer, "median");
  EXPECT(unknown != unknown); /* NaN: nothing is tuned */
  EXPECT(redtune_answer_gain(answer, "median") != redtune_answer_gain(answer, "median"));
  EXPECT(strcmp(redtune_answer_tuned_at(answer), "") == 0);
  size_t names = 0;
  for (; redtune_answer_setting_name(answer, names) != NULL; ++names) {
    const char* value = redtune_answer_setting(answer, redtune_answer_setting_name(answer, names));
    EXPECT(value != NULL && strstr(redtune_answer_settings(answer), value) != NULL);
  }
  EXPECT(names >= 9);

  redtune_shape* shape = NULL;
  EXPECT(redtune_answer_shape(answer, 1 << 20, &shape) == REDTUNE_DONE);
  EXPECT(redtune_shape_launches(shape) == 1);
  EXPECT(redtune_shape_grid(shape, 0) >= 1);
  EXPECT(redtune_shape_block(shape, 0) == atoi(redtune_answer_setting(answer, "block_size")));
  EXPECT(redtune_shape_shared_bytes(shape, 0) == 0);
  EXPECT(redtune_shape_workspace_bytes(shape) > 0);
  EXPECT(strstr(redtune_shape_kernel(shape, 0), "redtune::reduce<") != NULL);
  EXPECT(redtune_shape_kernel(shape, 1) == NULL && redtune_shape_grid(shape, 1) == 0);
  redtune_shape_destroy(shape);
  EXPECT(redtune_answer_shape(answer, -1, &shape) == REDTUNE_USAGE);
  redtune_answer_destroy(answer);

  const char* gpu =
      "{\"platform\": \"hip\", \"isa\": \"gfx90a:sramecc+:xnack-\","
      " \"compute_units\": 104, \"wave_size\": 64}";
  const redtune_problem large = sum_of(1 << 28);
  EXPECT(redtune_find_best_for(&large, gpu, &options, &answer) == REDTUNE_DONE);
  /* Ten tiles of 4096 for each of four blocks on a compute unit. */
  EXPECT(redtune_answer_shape(answer, 10 * 4096 * 4 * 104, &shape) == REDTUNE_DONE);
  EXPECT(redtune_shape_grid(shape, 0) == 4 * 104);
  redtune_shape_destroy(shape);
  redtune_answer_destroy(answer);
  EXPECT(redtune_find_best_for(&problem, "gfx90a", &options, &answer) == REDTUNE_USAGE);
  EXPECT(redtune_find_best_for(&problem, NULL, &options, &answer) == REDTUNE_USAGE);
}

static void tells_operators_and_types(void) {
  size_t ops = 0;
  for (; redtune_op_name(ops) != NULL; ++ops) {
    const char* op = redtune_op_name(ops);
    EXPECT(strlen(redtune_op_summary(op)) > 10);
    const char* takes = redtune_op_takes(op);
    EXPECT(!strcmp(takes, "any") || !strcmp(takes, "floats") || !strcmp(takes, "integers"));
    const int is_pair = strcmp(redtune_op_shape(op), "pair") == 0;
    EXPECT(redtune_op_value_name(op, 0) != NULL);
    EXPECT((redtune_op_value_name(op, 1) != NULL) == is_pair);
    EXPECT(redtune_op_value_name(op, 2) == NULL);
  }
  EXPECT(ops >= 25);
  EXPECT(strcmp(redtune_op_name(0), "sum") == 0);
  EXPECT(strcmp(redtune_op_takes("bit_or"), "integers") == 0);
  EXPECT(strcmp(redtune_op_shape("argmax"), "indexed") == 0);
  EXPECT(strcmp(redtune_op_value_name("mean_variance", 1), "variance") == 0);
  EXPECT(redtune_op_summary("summ") == NULL && redtune_op_summary(NULL) == NULL);
  EXPECT(redtune_op_takes("summ") == NULL && redtune_op_shape("summ") == NULL);
  EXPECT(redtune_op_value_name("summ", 0) == NULL);

  size_t types = 0;
  for (; redtune_type_name(types) != NULL; ++types) {
    EXPECT(redtune_type_bytes(redtune_type_name(types)) >= 1);
    EXPECT(redtune_type_kind(redtune_type_name(types)) != NULL);
  }
  EXPECT(types >= 12);
  EXPECT(redtune_type_bytes("bf16") == 2 && redtune_type_bytes("f8") == 0);
  EXPECT(strcmp(redtune_type_kind("bf16"), "floating") == 0);
  EXPECT(strcmp(redtune_type_kind("i8"), "signed_int") == 0);
  EXPECT(strcmp(redtune_type_kind("u8"), "unsigned_int") == 0);
  EXPECT(redtune_type_kind("f8") == NULL && redtune_type_kind(NULL) == NULL);
}

static void reduces(void) {
  static int32_t values[10000];
  const int64_t count = sizeof(values) / sizeof(values[0]);
  for (int64_t i = 0; i < count; ++i) values[i] = 3;
  const redtune_problem problem = sum_of(count);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  EXPECT(redtune_reducer_result_bytes(reducer) == sizeof(int64_t));
  EXPECT(strcmp(redtune_reducer_device(reducer), "host") == 0);

  int64_t out = -1;
  EXPECT(redtune_reducer_reduce_host(reducer, values, count, &out) == REDTUNE_DONE);
  EXPECT(out == 3 * count);
  EXPECT(redtune_reducer_reduce_host(reducer, NULL, 0, &out) == REDTUNE_DONE && out == 0);
  redtune_workspace* workspace = NULL;
  EXPECT(redtune_workspace_create(reducer, &workspace) == REDTUNE_DONE);
  EXPECT(redtune_reducer_launch(reducer, values, 7, &out, workspace, NULL) == REDTUNE_DONE);
  EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE && out == 21);
  EXPECT(redtune_reducer_launch(reducer, values, 8, &out, NULL, NULL) == REDTUNE_DONE);
  EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE && out == 24);
  EXPECT(redtune_reducer_is_capturing(reducer, NULL) == 0); /* the host captures nothing */
  EXPECT(redtune_reducer_is_capturing(NULL, NULL) == 0);
  EXPECT(redtune_reducer_hits(reducer, "default") == 4);
  EXPECT(redtune_reducer_hits(reducer, "exact") == 0 && redtune_reducer_hits(reducer, "?") == 0);

  redtune_answer* answer = NULL;
  EXPECT(redtune_reducer_answer(reducer, 1 << 30, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_match(answer), "default") == 0);
  redtune_answer_destroy(answer);

  EXPECT(redtune_reducer_launch(reducer, values, -1, &out, NULL, NULL) == REDTUNE_USAGE);
  EXPECT(redtune_reducer_launch(reducer, NULL, 1, &out, NULL, NULL) == REDTUNE_USAGE);
  EXPECT(redtune_reducer_launch(reducer, values, 1, NULL, NULL, NULL) == REDTUNE_USAGE);
  EXPECT(redtune_reducer_launch(NULL, values, 1, &out, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the reducer is a null pointer");
  redtune_reducer_destroy(reducer);
  redtune_workspace_destroy(workspace);
}

static redtune_array array_of(int64_t outer, int64_t count, int64_t inner) {
  redtune_array array = {0};
  array.size = sizeof(array);
  array.outer = outer;
  array.count = count;
  array.inner = inner;
  return array;
}

static redtune_problem sum_of_array(const redtune_array* array) {
  redtune_problem problem = sum_of(0);
  problem.array = array;
  return problem;
}

static void tells_what_a_problem_gives(void) {
  redtune_array array = array_of(4, 1000, 1);
  redtune_problem problem = sum_of_array(&array);
  redtune_result result = {0};
  result.size = sizeof(result);
  EXPECT(redtune_describe_result(&problem, &result) == REDTUNE_DONE);
  EXPECT(strcmp(result.acc, "i64") == 0 && strcmp(result.out, "i64") == 0);
  EXPECT(strcmp(result.shape, "value") == 0 && result.bytes == 8 && result.results == 4);
  problem.op = "argmax";
  problem.type = "f32";
  EXPECT(redtune_describe_result(&problem, &result) == REDTUNE_DONE);
  EXPECT(strcmp(result.shape, "indexed") == 0 && result.bytes == 16);
  EXPECT(strcmp(result.out, "f32") == 0);
  problem.op = "bit_or";
  EXPECT(redtune_describe_result(&problem, &result) == REDTUNE_USAGE);
  EXPECT_SAID("is for integers");
  result.size = 3;
  EXPECT(redtune_describe_result(&problem, &result) == REDTUNE_USAGE);
  EXPECT(redtune_describe_result(&problem, NULL) == REDTUNE_USAGE);
}

static int is_array(const redtune_array* array, int64_t outer, int64_t count, int64_t inner,
                    int64_t outer_pitch, int64_t count_pitch) {
  return array->size == sizeof(*array) && array->outer == outer && array->count == count &&
         array->inner == inner && array->outer_pitch == outer_pitch &&
         array->count_pitch == count_pitch;
}

static void describes_arrays(void) {
  redtune_array array = array_of(-1, -1, -1);
  const int64_t extents[] = {4, 1, 6, 10};
  const int64_t last[] = {-1};
  const int64_t first[] = {0};
  const int64_t middle[] = {2};
  const int64_t zero_and_one[] = {0, 1};
  EXPECT(redtune_reduce_axes(extents, NULL, 4, last, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 24, 10, 1, 0, 0));
  EXPECT(redtune_reduce_axes(extents, NULL, 4, first, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 4, 60, 0, 0));
  EXPECT(redtune_reduce_axes(extents, NULL, 4, middle, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 4, 6, 10, 0, 0));
  EXPECT(redtune_reduce_axes(extents, NULL, 4, NULL, 0, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 240, 1, 0, 0));
  EXPECT(redtune_reduce_axes(extents, NULL, 4, last, 0, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 240, 1, 0, 0));
  const int64_t padded[] = {96, 96, 16, 1};
  EXPECT(redtune_reduce_axes(extents, padded, 4, last, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 24, 10, 1, 16, 0));
  EXPECT(redtune_reduce_axes(extents, padded, 4, zero_and_one, 2, &array) == REDTUNE_USAGE);
  EXPECT_SAID("copy the array without gaps");
  const int64_t matrix[] = {7, 10};
  const int64_t pitch[] = {12, 1};
  EXPECT(redtune_reduce_axes(matrix, pitch, 2, first, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 7, 10, 0, 12));
  /* Nothing at all is one element; of no rows there is one result, the identity. */
  EXPECT(redtune_reduce_axes(NULL, NULL, 0, NULL, 0, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 1, 1, 0, 0));
  const int64_t none[] = {0, 5};
  EXPECT(redtune_reduce_axes(none, NULL, 2, first, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 0, 5, 0, 0));
  const int64_t ones[64] = {1, 1, 1};
  EXPECT(redtune_reduce_axes(ones, NULL, 3, last, 1, &array) == REDTUNE_DONE);
  EXPECT(is_array(&array, 1, 1, 1, 0, 0));
}

/* Programs built with the header of an earlier version have a shorter struct, and memory of their
 * own behind it. */
static void fills_in_what_the_caller_has(void) {
  const int64_t extents[] = {4, 6, 10};
  const int64_t last[] = {-1};
  const int64_t outer_axes[] = {0, 2};
  const size_t ends[] = {offsetof(redtune_array, batch), offsetof(redtune_array, segments),
                         sizeof(redtune_array)};
  for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); ++i) {
    redtune_array array;
    memset(&array, 0, ends[i]);
    unsigned char* bytes = (unsigned char*)&array;
    for (size_t at = ends[i]; at < sizeof(array); ++at) bytes[at] = 0xcd;
    array.size = ends[i];
    EXPECT(redtune_reduce_axes(extents, NULL, 3, last, 1, &array) == REDTUNE_DONE);
    EXPECT(array.outer == 24 && array.count == 10 && array.inner == 1);
    EXPECT(i < 1 || (array.batch == 1 && array.batch_pitch == 0));
    EXPECT(i < 2 || (array.segments == 0 && array.offset_bits == 0 && array.skew == NULL));
    for (size_t at = ends[i]; at < sizeof(array); ++at) EXPECT(bytes[at] == 0xcd);
    const int is_filled = redtune_reduce_axes(extents, NULL, 3, outer_axes, 2, &array);
    EXPECT(is_filled == (i < 1 ? REDTUNE_USAGE : REDTUNE_DONE));
    for (size_t at = ends[i]; at < sizeof(array); ++at) EXPECT(bytes[at] == 0xcd);
  }
  /* A later header has more members, which are null. */
  struct {
    redtune_array known;
    int64_t later[2];
  } younger;
  memset(&younger, 0, sizeof(younger));
  younger.known.size = sizeof(younger);
  younger.known.segments = 7;
  EXPECT(redtune_reduce_axes(extents, NULL, 3, last, 1, &younger.known) == REDTUNE_DONE);
  EXPECT(younger.known.segments == 0 && younger.later[0] == 0);
}

static void refuses_what_is_no_array(void) {
  redtune_array array = array_of(3, 3, 3);
  const int64_t extents[] = {4, 6, 10};
  const int64_t last[] = {-1};
  const int64_t fourth[] = {3};
  const int64_t before_all[] = {-4};
  const int64_t twice[] = {1, -2};
  const int64_t scattered[] = {0, 2};
  const int64_t four[] = {4, 6, 10, 2};
  EXPECT(redtune_reduce_axes(extents, NULL, 3, last, 1, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the array is a null pointer");
  EXPECT(redtune_reduce_axes(NULL, NULL, 3, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("the list of extents is a null pointer");
  EXPECT(redtune_reduce_axes(extents, NULL, 3, NULL, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("the list of axes is a null pointer");
  EXPECT(redtune_reduce_axes(extents, NULL, 3, fourth, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("4x6x10 has no axis 3");
  EXPECT(redtune_reduce_axes(extents, NULL, 3, before_all, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("has no axis -4");
  EXPECT(redtune_reduce_axes(NULL, NULL, 0, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("1 axes are named of an array of 0");
  EXPECT(redtune_reduce_axes(extents, NULL, 3, twice, 2, &array) == REDTUNE_USAGE);
  EXPECT_SAID("named twice");
  EXPECT(redtune_reduce_axes(four, NULL, 4, scattered, 2, &array) == REDTUNE_USAGE);
  EXPECT_SAID("axes 0 and 2 are reduced");
  EXPECT(redtune_reduce_axes(extents, NULL, 65, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("the rank is 65");
  EXPECT(redtune_reduce_axes(extents, NULL, (size_t)-1, last, 1, &array) == REDTUNE_USAGE);
  EXPECT(redtune_reduce_axes(extents, NULL, 3, last, (size_t)-1, &array) == REDTUNE_USAGE);

  const int64_t negative[] = {4, -6};
  const int64_t no_results[] = {0, 5};
  const int64_t huge[] = {INT64_C(1) << 31, INT64_C(1) << 31};
  const int64_t backwards[] = {-10, -1};
  const int64_t in_place[] = {0, 1};
  const int64_t too_far[] = {INT64_C(1) << 61, 1};
  EXPECT(redtune_reduce_axes(negative, NULL, 2, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("an extent of 4x-6 is -6");
  EXPECT(redtune_reduce_axes(no_results, NULL, 2, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("0x5 has no results");
  EXPECT(redtune_reduce_axes(huge, NULL, 2, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("more than 64 bits can index");
  EXPECT(redtune_reduce_axes(extents, backwards, 2, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("the stride of axis 0 is -10");
  EXPECT(redtune_reduce_axes(extents, in_place, 2, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("the stride of axis 0 is 0");
  EXPECT(redtune_reduce_axes(extents, too_far, 2, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("more elements than 64 bits can index");
  EXPECT(is_array(&array, 3, 3, 3, 0, 0)); /* nothing was written */
  array.size = 0;
  EXPECT(redtune_reduce_axes(extents, NULL, 3, last, 1, &array) == REDTUNE_USAGE);
  EXPECT_SAID("sizeof(redtune_array)");
  EXPECT(array.count == 3);
}

static void asks_for_an_array(void) {
  redtune_array rows = array_of(300, 1000, 1);
  rows.outer_pitch = 1024;
  redtune_problem problem = sum_of_array(&rows);
  const redtune_options options = on_host();
  redtune_answer* answer = NULL;
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_family(answer), "reduce_rows") == 0);
  redtune_shape* shape = NULL;
  EXPECT(redtune_answer_shape(answer, 1000, &shape) == REDTUNE_DONE);
  EXPECT(strstr(redtune_shape_kernel(shape, 0), "redtune::reduce_rows<") != NULL);
  redtune_shape_destroy(shape);
  redtune_answer_destroy(answer);
  const redtune_array columns = array_of(1, 300, 1000);
  problem = sum_of_array(&columns);
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_family(answer), "reduce_columns") == 0);
  redtune_answer_destroy(answer);
  const redtune_array whole = array_of(1, 300, 1);
  problem = sum_of_array(&whole);
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_family(answer), "reduce") == 0);
  redtune_answer_destroy(answer);
}

/* Whether a problem of this array is refused with this line. */
static int is_refused(const redtune_array* array, const char* text) {
  const redtune_problem problem = sum_of_array(array);
  const redtune_options options = on_host();
  redtune_answer* answer = NULL;
  const int status = redtune_find_best(&problem, &options, &answer);
  redtune_answer_destroy(answer);
  return status == REDTUNE_USAGE && answer == NULL && strstr(redtune_last_error(), text) != NULL;
}

static void refuses_problems_of_no_array(void) {
  redtune_array array = array_of(0, 5, 1);
  EXPECT(is_refused(&array, "outer is 0 and inner is 1; both must be 1 or more"));
  array = array_of(3, 5, 0);
  EXPECT(is_refused(&array, "outer is 3 and inner is 0"));
  array = array_of(3, -5, 1);
  EXPECT(is_refused(&array, "the count is -5; it must be 0 or more"));
  array = array_of(INT64_C(1) << 31, INT64_C(1) << 31, 1);
  EXPECT(is_refused(&array, "more bytes than 64 bits can index"));
  array = array_of(INT64_C(1) << 32, 0, INT64_C(1) << 32);
  EXPECT(is_refused(&array, "more bytes than 64 bits can index"));
  array = array_of(3, 5, 1);
  array.outer_pitch = 4;
  EXPECT(is_refused(&array, "outer_pitch is 4, less than the 5 elements of one outer index"));
  array.outer_pitch = -5;
  EXPECT(is_refused(&array, "outer_pitch is -5; both must be 0 or more"));
  array.outer_pitch = INT64_C(1) << 62;
  EXPECT(is_refused(&array, "reaches farther than 64 bits can index"));
  array = array_of(1, 5, 7);
  array.count_pitch = 6;
  EXPECT(is_refused(&array, "count_pitch is 6, less than the 7 elements of inner"));
  array.size = 8;
  EXPECT(is_refused(&array, "redtune_array.size is 8: set it to sizeof(redtune_array)"));
  const redtune_array rows = array_of(3, 5, 1);
  redtune_problem both = sum_of_array(&rows);
  both.count = 15;
  const redtune_options options = on_host();
  redtune_answer* answer = NULL;
  EXPECT(redtune_find_best(&both, &options, &answer) == REDTUNE_USAGE);
  EXPECT_SAID("redtune_problem.count is 15 beside an array, which has its own: set it to 0");
}

static int64_t step_of(const redtune_array* array) {
  return array->count_pitch != 0 ? array->count_pitch : array->inner;
}

static int64_t slice_of(const redtune_array* array) {
  return array->outer_pitch != 0 ? array->outer_pitch : array->count * step_of(array);
}

/* Sums by a loop of what a launch has written, and nothing behind it. */
static int64_t batch_step_of(const redtune_array* array) {
  return array->batch_pitch == 0 ? array->outer * slice_of(array) : array->batch_pitch;
}

static int are_sums(const int32_t* in, const redtune_array* array, const int64_t* out) {
  for (int64_t i = 0; i < array->outer; ++i) {
    for (int64_t k = 0; k < array->inner; ++k) {
      int64_t sum = 0;
      for (int64_t b = 0; b < (array->batch == 0 ? 1 : array->batch); ++b) {
        for (int64_t j = 0; j < array->count; ++j) {
          sum += in[b * batch_step_of(array) + i * slice_of(array) + j * step_of(array) + k];
        }
      }
      if (out[i * array->inner + k] != sum) return 0;
    }
  }
  return out[array->outer * array->inner] == -7;
}

static int32_t values[100000]; /* none is 0, those in gaps neither */
static int64_t sums[10001];

static void wipe_sums(void) {
  for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); ++i) sums[i] = -7;
}

static int is_launched(redtune_reducer* reducer, const redtune_array* array) {
  wipe_sums();
  return redtune_reducer_launch_array(reducer, values, array, sums, NULL, NULL) == REDTUNE_DONE &&
         redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE &&
         are_sums(values, array, sums);
}

static void reduces_rows(void) {
  redtune_array padded = array_of(70, 100, 1);
  padded.outer_pitch = 128;
  const redtune_problem problem = sum_of_array(&padded);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  EXPECT(redtune_reducer_result_bytes(reducer) == sizeof(int64_t));
  EXPECT(is_launched(reducer, &padded));
  redtune_array other = array_of(700, 13, 1);
  EXPECT(is_launched(reducer, &other));
  other.outer_pitch = 17;
  EXPECT(is_launched(reducer, &other));
  other = array_of(1, 1, 1);
  EXPECT(is_launched(reducer, &other));
  other = array_of(1, 99999, 1);
  EXPECT(is_launched(reducer, &other));
  other = array_of(10000, 1, 1);
  EXPECT(is_launched(reducer, &other));
  other = array_of(5, 0, 1); /* no elements: the identity, five times */
  EXPECT(is_launched(reducer, &other));
  EXPECT(redtune_reducer_hits(reducer, "default") == 7);

  redtune_workspace* workspace = NULL;
  EXPECT(redtune_workspace_create(reducer, &workspace) == REDTUNE_DONE);
  EXPECT(redtune_workspace_bytes(workspace) > 0 && redtune_workspace_bytes(NULL) == 0);
  wipe_sums();
  EXPECT(redtune_reducer_launch_array(reducer, values, &padded, sums, workspace, NULL) ==
         REDTUNE_DONE);
  EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE);
  EXPECT(are_sums(values, &padded, sums));
  /* A count alone: rows of 64 with the problem's number and pitch, from host memory as well. */
  other = padded;
  other.count = 64;
  wipe_sums();
  EXPECT(redtune_reducer_launch(reducer, values, 64, sums, workspace, NULL) == REDTUNE_DONE);
  EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE);
  EXPECT(are_sums(values, &other, sums));
  wipe_sums();
  EXPECT(redtune_reducer_reduce_host(reducer, values, 64, sums) == REDTUNE_DONE);
  EXPECT(are_sums(values, &other, sums));
  EXPECT(redtune_reducer_reduce_host(reducer, values, 129, sums) == REDTUNE_USAGE);
  EXPECT_SAID("outer_pitch is 128, less than the 129 elements of one outer index");
  redtune_workspace_destroy(workspace);

  redtune_answer* answer = NULL;
  EXPECT(redtune_reducer_answer_for_array(reducer, &padded, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_match(answer), "default") == 0);
  redtune_answer_destroy(answer);
  other = array_of(1000, 3, 1);
  EXPECT(redtune_reducer_answer_for_array(reducer, &other, &answer) == REDTUNE_DONE);
  EXPECT(strstr(redtune_answer_explanation(answer), "nothing tuned is near") != NULL);
  redtune_answer_destroy(answer);
  redtune_reducer_destroy(reducer);
}

static void reduces_columns(void) {
  redtune_array array = array_of(1, 50, 30);
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  EXPECT(is_launched(reducer, &array));
  array.count_pitch = 37;
  EXPECT(is_launched(reducer, &array));
  array = array_of(9, 11, 17); /* an axis in the middle, with gaps on both sides */
  array.count_pitch = 19;
  array.outer_pitch = 250;
  EXPECT(is_launched(reducer, &array));
  redtune_reducer_destroy(reducer);
}

static void reduces_channels(void) {
  redtune_array array = {0};
  array.size = sizeof(array);
  const int64_t extents[] = {4, 30, 5, 9};
  const int64_t axes[] = {0, 2, 3};
  EXPECT(redtune_reduce_axes(extents, NULL, 4, axes, 3, &array) == REDTUNE_DONE);
  EXPECT(array.batch == 4 && array.outer == 30 && array.count == 45 && array.batch_pitch == 0);
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  EXPECT(is_launched(reducer, &array));
  array.outer_pitch = 47;
  array.batch_pitch = 2000;
  EXPECT(is_launched(reducer, &array));
  array = array_of(7, 11, 1);
  array.batch = 50;
  EXPECT(is_launched(reducer, &array));
  array.batch = 1; /* of a batch of one, rows */
  EXPECT(is_launched(reducer, &array));
  array.batch = 0; /* likewise */
  EXPECT(is_launched(reducer, &array));
  array.batch = -1;
  EXPECT(redtune_reducer_launch_array(reducer, values, &array, sums, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("batch is -1");
  redtune_reducer_destroy(reducer);

  /* A program that was built before there were batches. */
  array.size = 48;
  EXPECT(redtune_reduce_axes(extents, NULL, 4, axes, 3, &array) == REDTUNE_USAGE);
  EXPECT_SAID("redtune_array.size is too small");
  const int64_t last = 3;
  array.batch = 77;
  EXPECT(redtune_reduce_axes(extents, NULL, 4, &last, 1, &array) == REDTUNE_DONE);
  EXPECT(array.outer == 600 && array.count == 9 && array.batch == 77);
}

static redtune_array hundred_in_five(void) {
  redtune_array array = {0};
  array.size = sizeof(array);
  array.count = 100;
  array.outer = array.inner = 1;
  array.segments = 5;
  array.offset_bits = 32;
  return array;
}

static void reduces_segments(void) {
  redtune_array array = hundred_in_five();
  array.skew = "zipf";
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  const int32_t offsets[] = {0, 3, 3, 70, 71, 100};
  redtune_segments segments = {sizeof(segments), offsets, NULL, 5, 32};
  EXPECT(redtune_reducer_check_offsets(reducer, 100, &segments) == REDTUNE_DONE);
  EXPECT(redtune_reducer_launch_segments(reducer, values, 100, &segments, sums, NULL, NULL) ==
         REDTUNE_DONE);
  EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE);
  for (int i = 0; i < 5; ++i) {
    int64_t sum = 0;
    for (int32_t k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k];
    EXPECT(sums[i] == sum);
  }
  const int32_t begins[] = {7, 40};
  const int32_t ends[] = {9, 40};
  const redtune_segments apart = {sizeof(apart), begins, ends, 2, 32};
  EXPECT(redtune_reducer_launch_segments(reducer, values, 100, &apart, sums, NULL, NULL) ==
         REDTUNE_DONE);
  EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE);
  EXPECT(sums[0] == (int64_t)values[7] + values[8] && sums[1] == 0);

  EXPECT(redtune_reducer_check_offsets(reducer, 99, &segments) == REDTUNE_USAGE);
  EXPECT_SAID("segment 4 ends at 100, beyond the 99 elements");
  EXPECT(redtune_reducer_launch_array(reducer, values, &array, sums, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("launch it with their offsets");
  segments.offset_bits = 16;
  EXPECT(redtune_reducer_launch_segments(reducer, values, 100, &segments, sums, NULL, NULL) ==
         REDTUNE_USAGE);
  EXPECT_SAID("offsets have 32 or 64 bits");
  redtune_reducer_destroy(reducer);
}

static void reduces_planned_segments(void) {
  redtune_array array = hundred_in_five();
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  const int32_t offsets[] = {0, 3, 3, 70, 71, 100};
  redtune_segments segments = {sizeof(segments), offsets, NULL, 5, 32};
  redtune_plan_options how = {.size = sizeof(how), .way = "bins"};
  size_t bytes = 0;
  EXPECT(redtune_reducer_plan_bytes(reducer, 100, 5, &how, &bytes) == REDTUNE_DONE);
  redtune_plan* plan = NULL;
  EXPECT(redtune_plan_create(reducer, 100, &segments, &how, NULL, &plan) == REDTUNE_DONE);
  EXPECT(bytes > 0 && redtune_plan_bytes(plan) == bytes);
  redtune_lengths lengths = {.size = sizeof(lengths)};
  EXPECT(redtune_plan_measure(plan, NULL, &lengths) == REDTUNE_DONE);
  EXPECT(lengths.elements == 100 && lengths.longest == 67);
  EXPECT(strcmp(lengths.skew, "uniform") == 0);
  redtune_answer* answer = NULL;
  EXPECT(redtune_plan_answer(plan, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_setting(answer, "way"), "bins") == 0);
  redtune_answer_destroy(answer);
  const int32_t other_offsets[] = {0, 50, 60, 60, 60, 99};
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT(redtune_reducer_launch_plan(reducer, values, plan, sums, NULL) == REDTUNE_DONE);
    EXPECT(redtune_reducer_synchronize(reducer, NULL) == REDTUNE_DONE);
    const int32_t* there = turn == 0 ? offsets : other_offsets;
    for (int i = 0; i < 5; ++i) {
      int64_t sum = 0;
      for (int32_t k = there[i]; k < there[i + 1]; ++k) sum += values[k];
      EXPECT(sums[i] == sum);
    }
    segments.begins = other_offsets;
    EXPECT(redtune_plan_update(plan, &segments, NULL) == REDTUNE_DONE);
  }
  segments.count = 4;
  EXPECT(redtune_plan_update(plan, &segments, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("this plan is of 5 segments");
  redtune_plan_destroy(plan);
  redtune_plan_destroy(NULL);
  const int32_t unordered[] = {0, 50, 40, 60, 60, 99};
  const int32_t beyond[] = {0, 50, 60, 60, 60, 101};
  segments.count = 5;
  how.checked = 1;
  segments.begins = unordered;
  plan = NULL;
  EXPECT(redtune_plan_create(reducer, 100, &segments, &how, NULL, &plan) == REDTUNE_USAGE);
  EXPECT_SAID("segment 1 ends at 40, before it begins at 50");
  EXPECT(plan == NULL);
  segments.begins = offsets;
  EXPECT(redtune_plan_create(reducer, 100, &segments, &how, NULL, &plan) == REDTUNE_DONE);
  segments.begins = beyond;
  EXPECT(redtune_plan_update(plan, &segments, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("segment 4 ends at 101, beyond the 100 elements of the array");
  redtune_plan_destroy(plan);
  how.way = "heaps";
  EXPECT(redtune_plan_create(reducer, 100, &segments, &how, NULL, &plan) == REDTUNE_USAGE);
  EXPECT_SAID("unknown way of a plan 'heaps'");
  redtune_reducer_destroy(reducer);
}

static void reduces_by_key_in(const char* way) {
  redtune_array array = hundred_in_five();
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_by_key* by_key = NULL;
  if (way == NULL) {
    EXPECT(redtune_by_key_create(&problem, 64, &options, &by_key) == REDTUNE_DONE);
  } else {
    EXPECT(redtune_by_key_create_in(&problem, 64, way, &options, &by_key) == REDTUNE_DONE);
    EXPECT(strcmp(redtune_by_key_way(by_key), way) == 0);
  }
  EXPECT(redtune_by_key_bytes(by_key) > 0);
  EXPECT(strcmp(redtune_by_key_device(by_key), "host") == 0 && redtune_by_key_device(NULL) == NULL);
  redtune_answer* answer = NULL;
  EXPECT(redtune_by_key_answer(by_key, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_family(answer), "reduce_segments") == 0);
  redtune_answer_destroy(answer);
  int64_t keys[100];
  int64_t groups_keys[100];
  for (int i = 0; i < 100; ++i) keys[i] = i < 60 ? 9000000000 : i < 61 ? 5 : 6;
  int64_t groups = -1;
  EXPECT(redtune_by_key_launch(by_key, keys, values, 100, groups_keys, sums, &groups, NULL) ==
         REDTUNE_DONE);
  EXPECT(redtune_by_key_synchronize(by_key, NULL) == REDTUNE_DONE);
  EXPECT(groups == 3 && groups_keys[0] == 9000000000 && groups_keys[1] == 5 && groups_keys[2] == 6);
  int64_t sum = 0;
  for (int i = 0; i < 60; ++i) sum += values[i];
  EXPECT(sums[0] == sum && sums[1] == values[60]);
  EXPECT(redtune_by_key_launch(by_key, keys, values, 101, NULL, sums, &groups, NULL) ==
         REDTUNE_USAGE);
  EXPECT_SAID("there are 101 elements; this Reducer is for 100 at most");
  EXPECT(redtune_by_key_launch(by_key, NULL, values, 100, NULL, sums, &groups, NULL) ==
         REDTUNE_USAGE);
  redtune_by_key_destroy(by_key);
  redtune_by_key_destroy(NULL);
  EXPECT(redtune_by_key_create(&problem, 16, &options, &by_key) == REDTUNE_USAGE);
  EXPECT_SAID("keys have 32 or 64 bits, not 16");
  EXPECT(redtune_by_key_create_in(&problem, 64, "rows", &options, &by_key) == REDTUNE_USAGE);
  EXPECT(redtune_by_key_way(NULL) == NULL);
}

static void reduces_by_key(void) {
  reduces_by_key_in(NULL);
  reduces_by_key_in("tiles");
  reduces_by_key_in("segments");
}

static void writes_two_values_of_each_row(void) {
  const float values[] = {3, 1, 2, 6, 7, 7, 7, 7};
  const redtune_array rows = {.size = sizeof(rows), .outer = 2, .count = 4, .inner = 1};
  const redtune_problem problem = {
      .size = sizeof(problem), .op = "mean_variance", .type = "f32", .array = &rows};
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  struct {
    float mean, variance;
  } out[2];
  EXPECT(redtune_reducer_result_bytes(reducer) == sizeof(out[0]));
  EXPECT(redtune_reducer_reduce_host(reducer, values, 4, out) == REDTUNE_DONE);
  EXPECT(out[0].mean == 3 && out[0].variance == 3.5F);
  EXPECT(out[1].mean == 7 && out[1].variance == 0);
  redtune_reducer_destroy(reducer);
}

static void does_nothing_where_there_are_no_results(void) {
  redtune_array array = array_of(70, 100, 1);
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  array.outer = 0;
  EXPECT(is_launched(reducer, &array) && sums[0] == -7);
  EXPECT(redtune_reducer_launch_array(reducer, NULL, &array, NULL, NULL, NULL) == REDTUNE_DONE);
  redtune_reducer_destroy(reducer);
}

/* Whether a launch of an array is refused with this line. */
static int is_not_launched(redtune_reducer* reducer, const redtune_array* array, const char* text) {
  redtune_answer* answer = NULL;
  const int is_answered =
      redtune_reducer_answer_for_array(reducer, array, &answer) == REDTUNE_DONE || answer != NULL;
  if (is_answered || strstr(redtune_last_error(), text) == NULL) return 0;
  return redtune_reducer_launch_array(reducer, values, array, sums, NULL, NULL) == REDTUNE_USAGE &&
         strstr(redtune_last_error(), text) != NULL;
}

static void refuses_launches_of_no_array(void) {
  redtune_array array = array_of(70, 100, 1);
  const redtune_problem problem = sum_of_array(&array);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  array = array_of(-1, 5, 1);
  EXPECT(is_not_launched(reducer, &array, "outer is -1 and inner is 1"));
  array = array_of(3, -5, 1);
  EXPECT(is_not_launched(reducer, &array, "the count is -5"));
  array = array_of(3, 5, 1);
  array.outer_pitch = 4;
  EXPECT(is_not_launched(reducer, &array, "outer_pitch is 4, less than the 5 elements"));
  array.outer_pitch = -8;
  EXPECT(is_not_launched(reducer, &array, "outer_pitch is -8"));
  array.outer_pitch = INT64_C(1) << 61; /* times three, and four bytes each */
  EXPECT(is_not_launched(reducer, &array, "farther than 64 bits can index"));
  array = array_of(INT64_C(1) << 32, 5, INT64_C(1) << 32); /* times each other 0 in 64 bits */
  EXPECT(is_not_launched(reducer, &array, "more bytes than 64 bits can index"));
  array = array_of(INT64_C(1) << 31, INT64_C(1) << 31, 1);
  EXPECT(is_not_launched(reducer, &array, "more bytes than 64 bits can index"));
  array = array_of(70, INT64_MAX, 1);
  EXPECT(is_not_launched(reducer, &array, "more bytes than 64 bits can index"));
  EXPECT(redtune_reducer_launch(reducer, values, INT64_MAX, sums, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("more bytes than 64 bits can index");
  EXPECT(redtune_reducer_reduce_host(reducer, values, INT64_MAX / 70, sums) == REDTUNE_USAGE);
  array = array_of(1, 5, 4);
  EXPECT(is_not_launched(reducer, &array, "this Reducer is for arrays like 70x[100], not for"));
  EXPECT_SAID("make another one for them");
  array = array_of(70, 100, 1);
  array.size = 47; /* one byte less than interface 1 had */
  EXPECT(is_not_launched(reducer, &array, "sizeof(redtune_array)"));
  EXPECT(is_not_launched(reducer, NULL, "the array is a null pointer"));

  array = array_of(70, 100, 1);
  EXPECT(redtune_reducer_launch_array(NULL, values, &array, sums, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the reducer is a null pointer");
  EXPECT(redtune_reducer_launch_array(reducer, NULL, &array, sums, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the input is a null pointer");
  EXPECT(redtune_reducer_launch_array(reducer, values, &array, NULL, NULL, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the place for the results is a null pointer");
  EXPECT(redtune_reducer_answer_for_array(reducer, &array, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the place for the answer is a null pointer");
  redtune_answer* answer = NULL;
  EXPECT(redtune_reducer_answer_for_array(NULL, &array, &answer) == REDTUNE_USAGE);
  redtune_reducer_destroy(reducer);
}

static void refuses(void) {
  redtune_problem problem = sum_of(1);
  redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(NULL, &options, &reducer) == REDTUNE_USAGE);
  EXPECT(redtune_reducer_create(&problem, &options, NULL) == REDTUNE_USAGE);
  problem.op = "summ";
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  EXPECT_SAID("did you mean 'sum'");
  problem.op = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  problem = sum_of(1);
  problem.size = 8;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  EXPECT_SAID("sizeof(redtune_problem)");
  problem = sum_of(-1);
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  problem = sum_of(1);
  options.minimum_match = "nearly";
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  EXPECT_SAID("known: exact");
  options.minimum_match = "exact";
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_MISSED);
  options.minimum_match = NULL;
  options.device = "nowhere";
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  EXPECT(reducer == NULL);
}

/* A program built with a younger header, whose struct is longer. */
static void knows_structs_of_other_versions(void) {
  struct {
    redtune_problem known;
    const char* added;
  } younger = {sum_of(5), NULL};
  younger.known.size = sizeof(younger);
  const redtune_options options = on_host();
  redtune_answer* answer = NULL;
  EXPECT(redtune_find_best(&younger.known, &options, &answer) == REDTUNE_DONE);
  redtune_answer_destroy(answer);
  younger.added = "asked for";
  EXPECT(redtune_find_best(&younger.known, &options, &answer) == REDTUNE_USAGE);
  EXPECT_SAID("does not know");
  younger.known.size = 4097; /* nobody reads so far */
  EXPECT(redtune_find_best(&younger.known, &options, &answer) == REDTUNE_USAGE);
  EXPECT_SAID("redtune_problem.size is 4097");
  younger.known.size = (size_t)-1;
  EXPECT(redtune_find_best(&younger.known, &options, &answer) == REDTUNE_USAGE);
  redtune_options strict = on_host();
  strict.strict = 1;
  younger.known = sum_of(5);
  EXPECT(redtune_find_best(&younger.known, &strict, &answer) == REDTUNE_MISSED);
  EXPECT_SAID("strict");
  strict.snapshot = "latest";
  EXPECT(redtune_find_best(&younger.known, &strict, &answer) == REDTUNE_USAGE);
  EXPECT_SAID("the option 'snapshot' is 'latest'");
}

/* What a program that was built with interface 1 has in its memory, for ever. */
static void keeps_the_layout_of_interface_1(void) {
  if (sizeof(void*) != 8) return;
  EXPECT(sizeof(redtune_problem) >= 72 && offsetof(redtune_problem, op_source) == 64);
  EXPECT(sizeof(redtune_options) >= 40 && offsetof(redtune_options, strict) == 36);
  EXPECT(sizeof(redtune_array) >= 48 && offsetof(redtune_array, count_pitch) == 40);
  redtune_problem problem = sum_of(5);
  redtune_options options = on_host();
  problem.size = 72;
  problem.array = (const redtune_array*)&options; /* behind its end: another variable */
  options.size = 40;
  redtune_answer* answer = NULL;
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_DONE);
  redtune_answer_destroy(answer);
  problem.size = 71;
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_USAGE);
  problem.size = 72;
  options.size = 39;
  EXPECT(redtune_find_best(&problem, &options, &answer) == REDTUNE_USAGE);
}

static void takes_null_for_an_object(void) {
  redtune_answer_destroy(NULL);
  redtune_shape_destroy(NULL);
  redtune_reducer_destroy(NULL);
  redtune_workspace_destroy(NULL);
  EXPECT(redtune_answer_match(NULL) == NULL && redtune_shape_launches(NULL) == 0);
  EXPECT(redtune_reducer_result_bytes(NULL) == 0 && redtune_reducer_hits(NULL, NULL) == 0);
  EXPECT(redtune_reducer_device(NULL) == NULL && redtune_kernel_device(NULL) == NULL);
  EXPECT(redtune_kernel_size_name(NULL, 0) == NULL && redtune_answer_tuned_at(NULL) == NULL);
  EXPECT(redtune_kernel_argument_name(NULL, 0) == NULL);
  EXPECT(redtune_kernel_argument_type(NULL, 0) == NULL);
}

static void takes_an_operator_of_its_own(void) {
  redtune_problem problem = sum_of(4);
  problem.op = "plus_one";
  problem.op_source =
      "struct custom {\n"
      "  static accumulator identity() { return 0; }\n"
      "  static accumulator combine(accumulator a, accumulator b) { return a + b; }\n"
      "  static accumulator transform(element x) { return x + 1; }\n"
      "};\n";
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  const int32_t values[] = {1, 2, 3, 4};
  int64_t out = 0;
  EXPECT(redtune_reducer_reduce_host(reducer, values, 4, &out) == REDTUNE_DONE && out == 14);
  redtune_reducer_destroy(reducer);
}

static void takes_an_operator_of_several_members(void) {
  redtune_problem problem = sum_of(4);
  problem.op = "extent";
  problem.op_source =
      "struct custom {\n"
      "  struct accumulator { short low; double sum; };\n"
      "  static accumulator identity() { return {32767, 0}; }\n"
      "  static accumulator combine(accumulator a, accumulator b) {\n"
      "    return {a.low < b.low ? a.low : b.low, a.sum + b.sum};\n"
      "  }\n"
      "  static accumulator transform(element x) { return {short(x), double(x)}; }\n"
      "};\n";
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  struct {
    short low;
    double sum;
  } out = {0, 0};
  EXPECT(redtune_reducer_result_bytes(reducer) == sizeof(out));
  const int32_t elements[] = {7, -2, 3, 4};
  EXPECT(redtune_reducer_reduce_host(reducer, elements, 4, &out) == REDTUNE_DONE);
  EXPECT(out.low == -2 && out.sum == 12);
  redtune_reducer_destroy(reducer);

  problem.op_source = "struct custom { struct accumulator { long x; }; };";
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_USAGE);
  EXPECT(strncmp(redtune_last_error(), "extent:1: struct accumulator has numbers", 40) == 0);
}

/* In the folder for such files; 0: it cannot be written. */
static int write_kernel(char* path, size_t size) {
  const char* folder = getenv("TMPDIR");
  snprintf(path, size, "%s/redtune-c-api-test-%ld.hip.cpp", folder != NULL ? folder : "/tmp",
           (long)getpid());
  FILE* file = fopen(path, "w");
  if (file == NULL) return 0;
  fputs(
      "// redtune: kernel  weighted\n"
      "// redtune: tune    BLOCK = 4, 8  default 4\n"
      "// redtune: size    n = 100\n"
      "// redtune: size    step = 1\n"
      "// redtune: launch  block = BLOCK  grid = ceil(n / BLOCK)\n"
      "// redtune: arg     long out[n] out\n"
      "// redtune: arg     const short in[n] counting\n"
      "// redtune: arg     constant int weight[1] counting\n"
      "// redtune: arg     int n\n"
      "// redtune: arg     int block = BLOCK\n"
      "__constant__ int weight[1];\n"
      "extern \"C\" __global__ void weighted(long* out, const short* in, int n, int block) {\n"
      "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n"
      "  if (i < n) out[i] = weight[0] * in[i] + block;\n"
      "}\n",
      file);
  return fclose(file) == 0;
}

static void launches_a_kernel_of_its_own(void) {
  char path[4096];
  EXPECT(write_kernel(path, sizeof(path)));
  redtune_options options = on_host();
  redtune_kernel* kernel = NULL;
  EXPECT(redtune_kernel_create(path, "warm", &options, &kernel) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_kernel_device(kernel), "host") == 0);
  EXPECT(redtune_kernel_size_name(kernel, 1) != NULL &&
         redtune_kernel_size_name(kernel, 2) == NULL);
  EXPECT(strcmp(redtune_kernel_argument_type(kernel, 0), "buffer") == 0);
  EXPECT(redtune_kernel_argument_name(kernel, 2) != NULL);
  EXPECT(strcmp(redtune_kernel_argument_type(kernel, 2), "i32") == 0);
  EXPECT(redtune_kernel_argument_name(kernel, 3) == NULL);
  EXPECT(redtune_kernel_argument_type(kernel, 3) == NULL);
  const int64_t sizes[] = {10, 1};
  EXPECT(redtune_kernel_prepare(kernel, sizes, 2) == REDTUNE_DONE);
  int64_t out[10];
  short in[10];
  for (short i = 0; i < 10; ++i) in[i] = (short)(i - 5);
  int64_t* const out_address = out;
  const short* const in_address = in;
  const int n = 10;
  const void* arguments[] = {&out_address, &in_address, &n};
  EXPECT(redtune_kernel_launch(kernel, sizes, 2, arguments, 3, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("the variable weight in constant memory");
  const int weight = 100;
  EXPECT(redtune_kernel_set_constant(kernel, "weight", &weight, sizeof(weight)) == REDTUNE_DONE);
  EXPECT(redtune_kernel_launch(kernel, sizes, 2, arguments, 3, NULL) == REDTUNE_DONE);
  EXPECT(redtune_kernel_synchronize(kernel, NULL) == REDTUNE_DONE);
  EXPECT(out[0] == -496 && out[9] == 404);

  int64_t elements = 0;
  EXPECT(redtune_kernel_elements(kernel, sizes, 2, "in", &elements) == REDTUNE_DONE);
  EXPECT(elements == 10);
  redtune_answer* answer = NULL;
  EXPECT(redtune_kernel_answer(kernel, sizes, 2, &answer) == REDTUNE_DONE);
  EXPECT(strcmp(redtune_answer_setting(answer, "BLOCK"), "4") == 0);
  EXPECT(strcmp(redtune_answer_match(answer), "default") == 0);
  redtune_shape* shape = NULL;
  EXPECT(redtune_answer_shape(answer, 10, &shape) == REDTUNE_FAILED);
  EXPECT_SAID("is launched as its description says");
  redtune_answer_destroy(answer);

  EXPECT(redtune_kernel_launch(kernel, sizes, 2, arguments, 2, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("weighted takes 3 arguments: out, in, n; 2 were given");
  EXPECT(redtune_kernel_launch(kernel, sizes, 1, arguments, 3, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("weighted takes 2 sizes: n, step; 1 was given");
  const void* without[] = {&out_address, NULL, &n};
  EXPECT(redtune_kernel_launch(kernel, sizes, 2, without, 3, NULL) == REDTUNE_USAGE);
  EXPECT_SAID("weighted: the address of argument 2, in, is a null pointer");
  EXPECT(redtune_kernel_launch(kernel, NULL, 2, arguments, 3, NULL) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_launch(kernel, sizes, 2, NULL, 3, NULL) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_launch(NULL, sizes, 2, arguments, 3, NULL) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_prepare(kernel, sizes, 17) == REDTUNE_USAGE);
  EXPECT_SAID("16 sizes at most");
  EXPECT(redtune_kernel_set_constant(kernel, "weights", &weight, 4) == REDTUNE_USAGE);
  EXPECT_SAID("did you mean 'weight'?");
  EXPECT(redtune_kernel_set_constant(kernel, "weight", &weight, 3) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_set_constant(kernel, NULL, &weight, 4) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_elements(kernel, sizes, 2, "n", &elements) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_elements(kernel, sizes, 2, NULL, &elements) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_answer(kernel, sizes, 2, NULL) == REDTUNE_USAGE);
  redtune_kernel_destroy(kernel);
  redtune_kernel_destroy(NULL);

  options.minimum_match = "near";
  EXPECT(redtune_kernel_create(path, NULL, &options, &kernel) == REDTUNE_DONE);
  EXPECT(redtune_kernel_prepare(kernel, sizes, 2) == REDTUNE_MISSED);
  redtune_kernel_destroy(kernel);
  EXPECT(redtune_kernel_create(path, "hot", &options, &kernel) == REDTUNE_USAGE);
  EXPECT(redtune_kernel_create(NULL, NULL, &options, &kernel) == REDTUNE_USAGE);
  options.pinned = 1;
  EXPECT(redtune_kernel_create(path, NULL, &options, &kernel) == REDTUNE_USAGE);
  EXPECT_SAID("a kernel is not pinned");
  remove(path);
  EXPECT(redtune_kernel_create(path, NULL, NULL, &kernel) == REDTUNE_USAGE);
}

int main(void) {
  EXPECT(strcmp(redtune_version(), REDTUNE_VERSION) == 0);
  EXPECT(redtune_abi_version() == 1);
  EXPECT(strcmp(redtune_last_error(), "") == 0);
  asks();
  reduces();
  tells_operators_and_types();
  tells_what_a_problem_gives();
  for (int i = 0; i < 100000; ++i) values[i] = i % 257 + 1;
  describes_arrays();
  fills_in_what_the_caller_has();
  refuses_what_is_no_array();
  asks_for_an_array();
  refuses_problems_of_no_array();
  reduces_rows();
  reduces_columns();
  reduces_channels();
  reduces_segments();
  reduces_planned_segments();
  reduces_by_key();
  writes_two_values_of_each_row();
  does_nothing_where_there_are_no_results();
  refuses_launches_of_no_array();
  refuses();
  knows_structs_of_other_versions();
  keeps_the_layout_of_interface_1();
  takes_null_for_an_object();
  takes_an_operator_of_its_own();
  takes_an_operator_of_several_members();
  launches_a_kernel_of_its_own();
  if (failures == 0) printf("all well\n");
  return failures == 0 ? 0 : 1;
}
