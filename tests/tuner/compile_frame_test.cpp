// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Requests and results cross the border to a compile worker unchanged, or are refused.
#include "tuner/compile/compile_frame.hpp"

#include <gtest/gtest.h>
#include <random>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using namespace device;

CompiledProgram sample_program() {
  CompiledProgram program;
  for (int i = 0; i < 300; ++i) program.binary.push_back(static_cast<std::byte>(i));
  program.kernels = {{"first", {}}, {"second", {.vector_registers = 32, .spills = 0}}};
  program.kernels.push_back({"third",
                             {.vector_registers = 1,
                              .scalar_registers = 2,
                              .spills = 3,
                              .scratch_bytes = 4,
                              .shared_bytes = 5,
                              .code_bytes = 6}});
  return program;
}

TEST(CompileFrame, BringsARequestOver) {
  const CompileRequest request{"text\n\"\\ \xc3\xa4", {"a<1>", "b"}, "gfx90a:sramecc+"};
  const CompileRequest back = decode_request(encode(request));
  EXPECT_EQ(back.text, request.text);
  EXPECT_EQ(back.name_expressions, request.name_expressions);
  EXPECT_EQ(back.arch, request.arch);
}

TEST(CompileFrame, BringsAProgramOver) {
  const CompiledProgram program = sample_program();
  const CompileResult result = decode_result(encode(CompileResult(program)));
  const auto& back = std::get<CompiledProgram>(result);
  EXPECT_EQ(back.binary, program.binary);
  ASSERT_EQ(back.kernels.size(), 3u);
  EXPECT_EQ(back.kernels[1].symbol, "second");
  EXPECT_FALSE(back.kernels[0].resources.spills) << "unknown became zero";
  EXPECT_EQ(back.kernels[1].resources.spills, 0);
  const KernelResources& all = back.kernels[2].resources;
  EXPECT_EQ(all.vector_registers, 1);
  EXPECT_EQ(all.scalar_registers, 2);
  EXPECT_EQ(all.spills, 3);
  EXPECT_EQ(all.scratch_bytes, 4);
  EXPECT_EQ(all.shared_bytes, 5);
  EXPECT_EQ(all.code_bytes, 6);
}

TEST(CompileFrame, BringsALogOverAlsoAnEmptyOne) {
  for (const std::string log : {"", "error: no\n  ^\n"}) {
    const CompileResult result = decode_result(encode(CompileResult(CompileFailure{log})));
    EXPECT_EQ(std::get<CompileFailure>(result).log, log);
  }
}

TEST(CompileFrame, SurvivesALogThatIsNoUtf8) {
  const std::string log = "error: \xff\xfe in 'kernel'";
  const CompileResult result = decode_result(encode(CompileResult(CompileFailure{log})));
  EXPECT_NE(std::get<CompileFailure>(result).log.find("in 'kernel'"), std::string::npos);
}

TEST(CompileFrame, RefusesWhatIsNoFrame) {
  for (const std::string bytes : {"", "garbage", "\xa0", "\xf6", "{}", "\x80"}) {
    EXPECT_THROW((void)decode_request(bytes), Error) << bytes;
    EXPECT_THROW((void)decode_result(bytes), Error) << bytes;
  }
}

TEST(CompileFrame, RefusesAFrameOfAnotherKind) {
  EXPECT_THROW((void)decode_result(encode(CompileRequest{"text", {"a"}, "native"})), Error);
  EXPECT_THROW((void)decode_request(encode(CompileResult(CompileFailure{"log"}))), Error);
}

TEST(CompileFrame, RefusesAFrameThatIsCutOrHasMoreBehindIt) {
  const std::string whole = encode(CompileResult(sample_program()));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW((void)decode_result(whole.substr(0, length)), Error) << length;
  }
  EXPECT_THROW((void)decode_result(whole + "x"), Error);
}

TEST(CompileFrame, NeverDiesOfFlippedBits) {
  const std::string whole = encode(CompileResult(sample_program()));
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    try {
      (void)decode_result(bytes);
    } catch (const Error&) {
    }
  }
}

TEST(CompileFrame, TellsWhereAMessageEnds) {
  const std::string header = message_header(300);
  ASSERT_EQ(header.size(), message_header_bytes);
  EXPECT_EQ(message_bytes(header), message_header_bytes + 300);
  EXPECT_EQ(message_bytes(header + "more"), message_header_bytes + 300);
  for (std::size_t bytes = 0; bytes < header.size(); ++bytes) {
    EXPECT_EQ(message_bytes(header.substr(0, bytes)), std::nullopt) << bytes;
  }
  EXPECT_EQ(message_bytes(message_header(0)), message_header_bytes);
}

TEST(CompileFrame, RefusesWhatBeginsNoMessage) {
  EXPECT_THROW((void)message_bytes("x"), Error);
  EXPECT_THROW((void)message_bytes("redtunE"), Error);
  EXPECT_THROW((void)message_bytes(message_header((std::size_t{1} << 30) + 1)), Error);
}

}  // namespace
}  // namespace redtune::tuner
