// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

/* The sum of each row of a padded array, from C. Usage: row_sums_c [DEVICE] */
#include <redtune.h>
#include <stdio.h>

enum { rows = 1000, columns = 300, pitch = 320 };

static int fail(int status) {
  fprintf(stderr, "%s\n", redtune_last_error());
  return status;
}

int main(int argc, char** argv) {
  static float values[rows * pitch]; /* what lies between the rows is not looked at */
  static float sums[rows];
  for (int64_t i = 0; i < rows * pitch; ++i) values[i] = i % pitch < columns ? 1 : 1000;

  const int64_t extents[] = {rows, columns};
  const int64_t strides[] = {pitch, 1};
  const int64_t last_axis[] = {-1};
  redtune_array array = {.size = sizeof(array)};
  int status = redtune_reduce_axes(extents, strides, 2, last_axis, 1, &array);
  if (status != REDTUNE_DONE) return fail(status);

  const redtune_problem problem = {
      .size = sizeof(problem), .op = "sum", .type = "f32", .array = &array};
  const redtune_options options = {.size = sizeof(options), .device = argc > 1 ? argv[1] : "auto"};
  redtune_reducer* sum = NULL;
  status = redtune_reducer_create(&problem, &options, &sum);
  if (status != REDTUNE_DONE) return fail(status);

  /* Arrays on a device, of these extents or others: redtune_reducer_launch_array. */
  status = redtune_reducer_reduce_host(sum, values, columns, sums);
  if (status == REDTUNE_DONE) {
    printf("%d rows: the first sums to %g, the last to %g\n", rows, (double)sums[0],
           (double)sums[rows - 1]);
    status = sums[0] == columns && sums[rows - 1] == columns ? 0 : 1;
  } else {
    (void)fail(status);
  }
  redtune_reducer_destroy(sum);
  return status;
}
