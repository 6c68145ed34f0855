// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of redtune.h that reduces by key.
#include "redtune/reduce_by_key.hpp"
#include "runtime/c_api/arguments.hpp"
#include "runtime/c_api/guard.hpp"
#include "runtime/c_api/objects.hpp"
#include "runtime/resolve.hpp"

using namespace redtune;
using namespace redtune::c_api;

int redtune_by_key_create(const redtune_problem* problem, int key_bits,
                          const redtune_options* options, redtune_by_key** by_key) {
  return redtune_by_key_create_in(problem, key_bits, nullptr, options, by_key);
}

int redtune_by_key_create_in(const redtune_problem* problem, int key_bits, const char* way,
                             const redtune_options* options, redtune_by_key** by_key) {
  return guarded([&] {
    redtune_by_key*& result = required(by_key, "the place for the reducer");
    const ReducerOptions chosen = options_of(options);
    ByKeyOptions how;
    if (way != nullptr) how.way = parse_by_key_way(way);
    result = new redtune_by_key{ByKeyReducer(problem_of(problem), key_bits, chosen, how),
                                runtime::registry().select(chosen.device).text()};
  });
}

void redtune_by_key_destroy(redtune_by_key* by_key) {
  delete by_key;
}

int redtune_by_key_answer(const redtune_by_key* by_key, redtune_answer** answer) {
  return guarded([&] {
    redtune_answer*& result = required(answer, "the place for the answer");
    const ByKeyReducer& known = required(by_key, "the reducer").reducer;
    result = new redtune_answer{known.answer(), known.device()};
  });
}

const char* redtune_by_key_device(const redtune_by_key* by_key) {
  return by_key != nullptr ? by_key->device.c_str() : nullptr;
}

const char* redtune_by_key_way(const redtune_by_key* by_key) {
  // What to_string() gives ends with a null: its names are literals.
  return by_key != nullptr ? to_string(by_key->reducer.way()).data() : nullptr;
}

size_t redtune_by_key_bytes(const redtune_by_key* by_key) {
  return by_key != nullptr ? by_key->reducer.bytes() : 0;
}

int redtune_by_key_launch(redtune_by_key* by_key, const void* keys, const void* in, int64_t count,
                          void* keys_of_groups, void* out, int64_t* groups, void* stream) {
  return guarded([&] {
    ByKeyReducer& known = required(by_key, "the reducer").reducer;
    if (count > 0) {
      require(keys, "the keys");
      require(in, "the input");
      require(out, "the place for the results");
    }
    known.launch_bytes({keys, in, count, keys_of_groups, out, groups}, Stream::from_handle(stream));
  });
}

int redtune_by_key_synchronize(const redtune_by_key* by_key, void* stream) {
  return guarded(
      [&] { required(by_key, "the reducer").reducer.synchronize(Stream::from_handle(stream)); });
}
