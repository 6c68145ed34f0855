// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

/* redtune.h in C: compiled strictly, and every function called rightly and wrongly. */
#include <redtune.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

  const char* gpu = "{\"platform\": \"hip\", \"isa\": \"gfx90a:sramecc+:xnack-\","
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

static void reduces(void) {
  static int32_t values[10000];
  const int64_t count = sizeof(values) / sizeof(values[0]);
  for (int64_t i = 0; i < count; ++i) values[i] = 3;
  const redtune_problem problem = sum_of(count);
  const redtune_options options = on_host();
  redtune_reducer* reducer = NULL;
  EXPECT(redtune_reducer_create(&problem, &options, &reducer) == REDTUNE_DONE);
  EXPECT(redtune_reducer_result_bytes(reducer) == sizeof(int64_t));

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
  redtune_options reserved = on_host();
  reserved.reserved = 1;
  younger.known = sum_of(5);
  EXPECT(redtune_find_best(&younger.known, &reserved, &answer) == REDTUNE_USAGE);
  EXPECT_SAID("redtune_options.reserved");
}

/* What a program that was built with interface 1 has in its memory, for ever. */
static void keeps_the_layout_of_interface_1(void) {
  if (sizeof(void*) != 8) return;
  EXPECT(sizeof(redtune_problem) >= 72 && offsetof(redtune_problem, op_source) == 64);
  EXPECT(sizeof(redtune_options) >= 40 && offsetof(redtune_options, reserved) == 36);
  redtune_problem problem = sum_of(5);
  redtune_options options = on_host();
  problem.size = 72;
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
}

static void takes_an_operator_of_its_own(void) {
  redtune_problem problem = sum_of(4);
  problem.op = "plus_one";
  problem.op_source = "struct custom {\n"
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

int main(void) {
  EXPECT(strcmp(redtune_version(), REDTUNE_VERSION) == 0);
  EXPECT(redtune_abi_version() == 1);
  EXPECT(strcmp(redtune_last_error(), "") == 0);
  asks();
  reduces();
  refuses();
  knows_structs_of_other_versions();
  keeps_the_layout_of_interface_1();
  takes_null_for_an_object();
  takes_an_operator_of_its_own();
  if (failures == 0) printf("all well\n");
  return failures == 0 ? 0 : 1;
}
