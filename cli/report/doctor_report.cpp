// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/doctor_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/names.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

std::string plain_text(const Json& value) {
  if (value.is_null()) return "not known";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string fact_line(const Fact& fact) {
  std::string text = fact.text.empty() ? plain_text(fact.value) : fact.text;
  if (!fact.next.empty()) text += "; " + fact.next;
  return printable(text);  // values come from outside: variables, names of programs
}

char mark_of(Verdict verdict) {
  return verdict == Verdict::problem ? '!' : verdict == Verdict::remark ? '-' : ' ';
}

std::string topic_lines(const Topic& topic) {
  std::size_t width = 0;
  for (const Fact& fact : topic.facts) width = std::max(width, fact.name.size());
  const std::string_view indent = topic.name.empty() ? "" : "  ";
  std::string text = topic.name.empty() ? "" : fmt::format("  {}\n", printable(topic.name));
  for (const Fact& fact : topic.facts) {
    text += fmt::format("{}{} {:<{}}  {}\n", indent, mark_of(fact.verdict), fact.name, width,
                        fact_line(fact));
  }
  return text;
}

std::string key_of(std::string name) {
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string key_of(const Fact& fact) {
  return fact.key.empty() ? key_of(fact.name) : fact.key;
}

Json topic_json(const Topic& topic, const std::string& topic_key) {
  Json object = Json::object();
  if (!topic.name.empty()) object[topic_key] = topic.name;
  for (const Fact& fact : topic.facts) object[key_of(fact)] = fact.value;
  return object;
}

Json section_json(const Section& section) {
  if (section.topics.size() == 1 && section.topics[0].name.empty()) {
    return topic_json(section.topics[0], section.topic_key);
  }
  Json rows = Json::array();
  for (const Topic& topic : section.topics) rows.push_back(topic_json(topic, section.topic_key));
  return rows;
}

/// Calls visit(section, topic, fact) for all facts with that verdict.
template <class Visit>
void for_each(const Examination& found, Verdict verdict, Visit&& visit) {
  for (const Section& section : found) {
    for (const Topic& topic : section.topics) {
      for (const Fact& fact : topic.facts) {
        if (fact.verdict == verdict) visit(section, topic, fact);
      }
    }
  }
}

std::size_t count_of(const Examination& found, Verdict verdict) {
  std::size_t count = 0;
  for_each(found, verdict, [&](const auto&...) { ++count; });
  return count;
}

std::string summary(const Examination& found) {
  const std::size_t problems = count_of(found, Verdict::problem);
  const std::size_t remarks = count_of(found, Verdict::remark);
  if (problems > 0) {
    return fmt::format("Tuning does not work here: see the {} marked with '!'.\n",
                       problems == 1 ? "line" : fmt::format("{} lines", problems));
  }
  if (remarks == 0) return "Tuning works here.\n";
  return fmt::format("Tuning works here; see also the {} marked with '-'.\n",
                     remarks == 1 ? "line" : fmt::format("{} lines", remarks));
}

}  // namespace

bool has_problem(const Examination& found) {
  return count_of(found, Verdict::problem) > 0;
}

std::string text_of(const Examination& found) {
  std::string text = summary(found);
  for (const Section& section : found) {
    text += '\n' + section.name + '\n';
    for (const Topic& topic : section.topics) text += topic_lines(topic);
  }
  return text;
}

Json json_of(const Examination& found) {
  Json document = Json::object();
  for (const Section& section : found) document[key_of(section.name)] = section_json(section);
  Json findings = Json::array();
  for (const Verdict verdict : {Verdict::problem, Verdict::remark}) {
    for_each(found, verdict, [&](const Section& section, const Topic& topic, const Fact& fact) {
      findings.push_back({{"verdict", verdict == Verdict::problem ? "problem" : "remark"},
                          {"section", key_of(section.name)},
                          {"topic", topic.name},
                          {"fact", key_of(fact)},
                          {"text", fact.text.empty() ? plain_text(fact.value) : fact.text},
                          {"next", fact.next}});
    });
  }
  document["findings"] = findings;
  document["tuning_works"] = !has_problem(found);
  return document;
}

}  // namespace redtune::cli
