// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of redtune.h that tells which operators and types there are, and what a problem gives.
#include <algorithm>
#include <span>
#include <string_view>

#include "redtune/dtype.hpp"
#include "redtune/op.hpp"
#include "runtime/c_api/arguments.hpp"
#include "runtime/c_api/guard.hpp"

using namespace redtune;
using namespace redtune::c_api;

namespace {

// All names are of literals, so a zero is behind them.

/// Null where there is no row of that name.
template <class Row>
const Row* row_named(std::span<const Row> rows, const char* name) {
  if (name == nullptr) return nullptr;
  const auto found = std::ranges::find(rows, std::string_view(name), &Row::name);
  return found != rows.end() ? &*found : nullptr;
}

const OpInfo* op_named(const char* name) {
  return row_named(all_ops(), name);
}

const DTypeInfo* type_named(const char* name) {
  return row_named(all_dtypes(), name);
}

const char* text_of(Takes takes) {
  switch (takes) {
    case Takes::floats:
      return "floats";
    case Takes::integers:
      return "integers";
    default:
      return "any";
  }
}

const char* text_of(DTypeKind kind) {
  switch (kind) {
    case DTypeKind::floating:
      return "floating";
    case DTypeKind::signed_int:
      return "signed_int";
    default:
      return "unsigned_int";
  }
}

}  // namespace

const char* redtune_op_name(size_t number) {
  return number < all_ops().size() ? all_ops()[number].name.data() : nullptr;
}

const char* redtune_op_summary(const char* op) {
  const OpInfo* row = op_named(op);
  return row != nullptr ? row->summary.data() : nullptr;
}

const char* redtune_op_takes(const char* op) {
  const OpInfo* row = op_named(op);
  return row != nullptr ? text_of(row->takes) : nullptr;
}

const char* redtune_op_shape(const char* op) {
  const OpInfo* row = op_named(op);
  return row != nullptr ? name_of(row->shape) : nullptr;
}

const char* redtune_op_value_name(const char* op, size_t number) {
  const OpInfo* row = op_named(op);
  if (row == nullptr || number >= value_names(row->op).size()) return nullptr;
  return value_names(row->op)[number].data();
}

const char* redtune_type_name(size_t number) {
  return number < all_dtypes().size() ? all_dtypes()[number].name.data() : nullptr;
}

const char* redtune_type_kind(const char* type) {
  const DTypeInfo* row = type_named(type);
  return row != nullptr ? text_of(row->kind) : nullptr;
}

size_t redtune_type_bytes(const char* type) {
  const DTypeInfo* row = type_named(type);
  return row != nullptr ? row->bytes : 0;
}

int redtune_describe_result(const redtune_problem* problem, redtune_result* result) {
  return guarded([&] { fill(required(result, "the place for the result"), problem_of(problem)); });
}
