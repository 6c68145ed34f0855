// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

/* The largest of some numbers and where it is, from C. Usage: reduce_c [DEVICE] */
#include <redtune.h>
#include <stdio.h>

/* What argmax of floats writes. */
struct indexed_float {
  float value;
  int64_t index;
};

static int fail(int status) {
  fprintf(stderr, "%s\n", redtune_last_error());
  return status;
}

int main(int argc, char** argv) {
  static float values[100000];
  const int64_t count = sizeof(values) / sizeof(values[0]);
  for (int64_t i = 0; i < count; ++i) values[i] = (float)(i % 1000);
  values[54321] = 2000;

  const redtune_problem problem = {
      .size = sizeof(problem), .op = "argmax", .type = "f32", .count = count};
  const redtune_options options = {.size = sizeof(options), .device = argc > 1 ? argv[1] : "auto"};
  redtune_reducer* largest = NULL;
  int status = redtune_reducer_create(&problem, &options, &largest);
  if (status != REDTUNE_DONE) return fail(status);

  struct indexed_float found = {0, -1};
  status = redtune_reducer_reduce_host(largest, values, count, &found);
  if (status == REDTUNE_DONE) {
    printf("redtune %s: largest is %g at %lld\n", redtune_version(), (double)found.value,
           (long long)found.index);
    status = found.value == 2000 && found.index == 54321 ? 0 : 1;
  } else {
    (void)fail(status);
  }
  redtune_reducer_destroy(largest);
  return status;
}
