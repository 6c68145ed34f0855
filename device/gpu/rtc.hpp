// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A vendor's run-time compiler, driven once for all: hipRTC and NVRTC have the same calls. One
// program per request, however many instantiations: 4 to 7 times faster than one by one.
#pragma once

#include <concepts>
#include <cstddef>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/compiler.hpp"
#include "redtune/error.hpp"

namespace redtune::device::gpu {

/// An Rtc only says what each call is named.
template <class R>
concept Rtc = requires(typename R::Status status, typename R::Program program, const char* text,
                       const char* const* options, std::size_t bytes, char* data, int count) {
  { R::name } -> std::convertible_to<std::string_view>;
  { R::success } -> std::convertible_to<typename R::Status>;
  { R::out_of_memory } -> std::convertible_to<typename R::Status>;
  { R::describe(status) } -> std::convertible_to<std::string>;
  { R::create(&program, text) } -> std::same_as<typename R::Status>;
  { R::destroy(&program) } -> std::same_as<typename R::Status>;
  { R::add_name(program, text) } -> std::same_as<typename R::Status>;
  { R::compile(program, count, options) } -> std::same_as<typename R::Status>;
  { R::lowered_name(program, text, &text) } -> std::same_as<typename R::Status>;
  { R::log_size(program, &bytes) } -> std::same_as<typename R::Status>;
  { R::log(program, data) } -> std::same_as<typename R::Status>;
  { R::binary_size(program, &bytes) } -> std::same_as<typename R::Status>;
  { R::binary(program, data) } -> std::same_as<typename R::Status>;
};

/// Resources by symbol, from the binary and the log of a compile that went well.
using Inspect = std::map<std::string, KernelResources> (*)(std::span<const std::byte> binary,
                                                           std::string_view log);

/// Owner of a program.
template <Rtc R>
class Program {
 public:
  explicit Program(const std::string& text) {
    check(R::create(&program_, text.c_str()), "take the kernel text");
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { (void)R::destroy(&program_); }

  static void check(typename R::Status status, std::string_view doing) {
    if (status == R::success) return;
    throw DeviceError(fmt::format("{} cannot {}: {}", R::name, doing, R::describe(status)));
  }

  void add(const std::string& name_expression) {
    check(R::add_name(program_, name_expression.c_str()),
          fmt::format("take the name expression '{}'", name_expression));
  }
  [[nodiscard]] typename R::Status compile(std::span<const char* const> options) {
    return R::compile(program_, static_cast<int>(options.size()), options.data());
  }
  [[nodiscard]] std::string symbol(const std::string& name_expression) const {
    const char* lowered = nullptr;
    check(R::lowered_name(program_, name_expression.c_str(), &lowered),
          fmt::format("name the kernel of '{}'", name_expression));
    return lowered;
  }
  [[nodiscard]] std::string log() const {
    std::size_t bytes = 0;
    check(R::log_size(program_, &bytes), "tell the size of its log");
    std::string log(bytes, '\0');
    if (bytes > 0) check(R::log(program_, log.data()), "give its log");
    log.erase(log.find_last_not_of(std::string_view("\0\n ", 3)) + 1);
    return log;
  }
  [[nodiscard]] std::vector<std::byte> binary() const {
    std::size_t bytes = 0;
    check(R::binary_size(program_, &bytes), "tell the size of the binary");
    std::vector<std::byte> binary(bytes);
    check(R::binary(program_, reinterpret_cast<char*>(binary.data())), "give the binary");
    return binary;
  }

 private:
  typename R::Program program_{};
};

/// What run-time compilers answer with a crash, or with success and no kernel.
inline void check_request(const CompileRequest& request) {
  if (request.text.empty()) throw UsageError("there is no kernel text to compile");
  if (request.name_expressions.empty()) {
    throw UsageError("there is nothing to compile: no name expression was given");
  }
  for (const std::string& expression : request.name_expressions) {
    if (expression.empty()) throw UsageError("a name expression is empty");
  }
}

/// The log of a failed compile, for people: never empty, never endless.
[[nodiscard]] inline CompileFailure failure_of(std::string log, std::string_view reason) {
  constexpr std::size_t max_log_bytes = 64 * 1024;
  constexpr std::string_view cut = "\n(the log was longer)";
  if (log.empty()) log = fmt::format("{} and left no log.", reason);
  if (log.size() > max_log_bytes) log.replace(max_log_bytes - cut.size(), std::string::npos, cut);
  return CompileFailure{std::move(log)};
}

template <Rtc R>
[[nodiscard]] CompileResult compile_with(const CompileRequest& request,
                                         std::span<const char* const> options, Inspect inspect) {
  check_request(request);
  Program<R> program(request.text);
  // Twice the same expression is a redefinition to hipRTC.
  const std::set<std::string> distinct(request.name_expressions.begin(),
                                       request.name_expressions.end());
  for (const std::string& expression : distinct) program.add(expression);
  const auto status = program.compile(options);
  if (status == R::out_of_memory) Program<R>::check(status, "compile");
  if (status != R::success) {
    return failure_of(program.log(),
                      fmt::format("{} failed with {}", R::name, R::describe(status)));
  }
  CompiledProgram compiled{program.binary(), {}};
  const auto resources = inspect(compiled.binary, program.log());
  for (const std::string& expression : request.name_expressions) {
    CompiledKernel kernel{program.symbol(expression), {}};
    const auto found = resources.find(kernel.symbol);
    if (found != resources.end()) kernel.resources = found->second;
    compiled.kernels.push_back(std::move(kernel));
  }
  return compiled;
}

}  // namespace redtune::device::gpu
