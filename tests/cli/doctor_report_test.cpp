// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Facts as text and as JSON.
#include "cli/report/doctor_report.hpp"

#include <gtest/gtest.h>

namespace redtune::cli {
namespace {

Examination sample(Verdict verdict) {
  return {
      {.name = "versions", .topics = {{.name = "", .facts = {{.name = "a", .value = "1.2"}}}}},
      {.name = "old folders",
       .topics = {
           {.name = "results",
            .facts =
                {{.name = "free space", .key = "free_bytes", .value = 5, .text = "5 MiB"},
                 {.name = "writable", .value = false, .verdict = verdict, .next = "make it so"}}},
           {.name = "logs", .facts = {{.name = "path", .value = nullptr}}}}}};
}

TEST(DoctorReport, IsOneFactALineWithMarks) {
  EXPECT_EQ(text_of(sample(Verdict::problem)),
            "Tuning does not work here: see the line marked with '!'.\n"
            "\n"
            "versions\n"
            "  a  1.2\n"
            "\n"
            "old folders\n"
            "  results\n"
            "    free space  5 MiB\n"
            "  ! writable    no; make it so\n"
            "  logs\n"
            "    path  not known\n");
  const std::string text = text_of(sample(Verdict::remark));
  EXPECT_NE(text.find("\n  - writable    no; make it so\n"), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("Tuning works here; see also the line marked with '-'.\n\n"));
}

TEST(DoctorReport, IsTheSameAsJson) {
  const Json document = json_of(sample(Verdict::problem));
  EXPECT_EQ(document.at("versions"), Json({{"a", "1.2"}}));
  EXPECT_EQ(document.at("old_folders").at(0),
            Json({{"name", "results"}, {"free_bytes", 5}, {"writable", false}}));
  EXPECT_EQ(document.at("old_folders").at(1).at("path"), nullptr);
  EXPECT_EQ(document.at("findings"), Json::array({{{"verdict", "problem"},
                                                   {"section", "old_folders"},
                                                   {"topic", "results"},
                                                   {"fact", "writable"},
                                                   {"text", "no"},
                                                   {"next", "make it so"}}}));
  EXPECT_EQ(document.at("tuning_works"), false);
  EXPECT_EQ(json_of(sample(Verdict::remark)).at("tuning_works"), true);
  EXPECT_EQ(json_of(sample(Verdict::fine)).at("findings"), Json::array());
}

TEST(DoctorReport, KeepsTextFromOutsideOnOneLine) {
  const Examination found{
      {.name = "s",
       .topics = {{.name = "a\nb", .facts = {{.name = "f", .value = "c\n! d\x1b[31m"}}}}}};
  EXPECT_EQ(text_of(found), "Tuning works here.\n\ns\n  a\\nb\n    f  c\\n! d\\x1b[31m\n");
}

}  // namespace
}  // namespace redtune::cli
