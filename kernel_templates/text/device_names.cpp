// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/text/device_names.hpp"

#include <fmt/format.h>

namespace redtune::kernels {

std::string_view device_type(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "float";
    case DType::f64:
      return "double";
    case DType::f16:
      return "redtune::f16";
    case DType::bf16:
      return "redtune::bf16";
    case DType::i8:
      return "signed char";
    case DType::i16:
      return "short";
    case DType::i32:
      return "int";
    case DType::i64:
      return "long long";
    case DType::u8:
      return "unsigned char";
    case DType::u16:
      return "unsigned short";
    case DType::u32:
      return "unsigned int";
    case DType::u64:
      return "unsigned long long";
  }
  return "?";
}

std::string device_operator(Op op) {
  return fmt::format("redtune::{}{}", to_string(op), op == Op::custom ? "_operator" : "");
}

std::string device_operation(const Operation& operation) {
  return fmt::format("{}, {}, {}, {}", device_operator(operation.op), device_type(operation.in),
                     device_type(operation.acc), device_type(operation.out));
}

}  // namespace redtune::kernels
