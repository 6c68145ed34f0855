// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/status_pages.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <unistd.h>

#include "cli/names.hpp"
#include "cli/plot/drawing.hpp"
#include "cli/report/page_parts.hpp"
#include "device/host/subprocess.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view loopback = "127.0.0.1:";
constexpr auto longest_report = std::chrono::seconds(60);
constexpr std::size_t most_page_size = std::size_t{64} << 20;
constexpr std::size_t most_runs = 100;

std::string title_of(int status) {
  return status == 404 ? "redtune: no such page" : "redtune: no page";
}

WebAnswer plain_answer(unsigned status, const std::string& text) {
  const std::string title = title_of(static_cast<int>(status));
  return {status, document_of(title, fmt::format("<h1>{}</h1>\n{}<p><a href=\"/\">Back</a></p>\n",
                                                 markup(title), paragraph(text)))};
}

std::string row_of(const Json& run) {
  const auto text = [&](const char* name) {
    const auto member = run.find(name);
    if (member == run.end() || member->is_null()) return std::string();
    return member->is_string() ? member->get<std::string>() : member->dump();
  };
  const std::string number = run.at("run").dump();
  const Json& problem = run.at("problem");
  return fmt::format(
      "<tr><td><a href=\"/runs/{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td>"
      "</tr>\n",
      number, markup(text("state")), markup(text("started_at")),
      markup(fmt::format("{} {} {}", problem.value("op", ""), problem.value("in", ""),
                         problem.contains("count") ? problem.at("count").dump() : "")),
      markup(text("note")));
}

std::string runs_table(const Json& document) {
  std::string rows;
  const Json& runs = document.at("runs");
  for (std::size_t i = 0; i < std::min(runs.size(), most_runs); ++i) rows += row_of(runs[i]);
  return scrolling("runs",
                   "<table>\n<thead><tr><th>run</th><th>state</th><th>begun</th><th>problem</th>"
                   "<th>note</th></tr></thead>\n<tbody>\n" +
                       rows + "</tbody>\n</table>\n");
}

}  // namespace

std::uint16_t StatusPages::port_in(const std::string& address) {
  unsigned port = 0;
  const char* const last = address.data() + address.size();
  const bool is_here = address.starts_with(loopback);
  const auto [end, error] =
      is_here ? std::from_chars(address.data() + loopback.size(), last, port)
              : std::from_chars_result{address.data(), std::errc::invalid_argument};
  if (error == std::errc{} && end == last && port <= 65535) return static_cast<std::uint16_t>(port);
  throw UsageError(fmt::format(
      "--listen is '{}'; pages are shown to this machine alone: 127.0.0.1:PORT, with a port from 1 "
      "to 65535, or 0 for one that is free",
      address));
}

StatusPages::StatusPages(const std::string& address, std::string program,
                         std::vector<std::string> cache, std::vector<std::string> devices)
    : program_(std::move(program)), cache_(std::move(cache)), devices_(std::move(devices)) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw IoError("cannot make a pipe");
  ended_ = device::host::Descriptor(ends[0]);
  end_ = device::host::Descriptor(ends[1]);
  server_ = std::make_unique<WebServer>(port_in(address),
                                        [this](const std::string& path) { return page(path); });
}

StatusPages::~StatusPages() {
  (void)!write(end_.get(), "", 1);
}

void StatusPages::tell(const std::string& state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
}

std::string StatusPages::url() const {
  return fmt::format("http://{}{}/", loopback, server_->port());
}

WebAnswer StatusPages::page(const std::string& path) const {
  constexpr std::string_view runs = "/runs/";
  if (path == "/") return first_page();
  if (path == "/devices") return report({});
  if (path.starts_with(runs)) {
    const std::string number = path.substr(runs.size());
    const bool is_number = !number.empty() && number.size() < 19 &&
                           number.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) return report({number});
  }
  return plain_answer(404, "There is /, /devices and /runs/NUMBER.");
}

WebAnswer StatusPages::first_page() const {
  FactList facts;
  {
    const std::lock_guard lock(mutex_);
    facts.add("now", printable(state_));
  }
  facts.add("devices", fmt::format("{}", fmt::join(devices_, ", ")));
  facts.add("redtune", version);
  std::vector<std::string> command{program_, "log", "--json"};
  command.insert(command.end(), cache_.begin(), cache_.end());
  const auto log = device::host::run_program(
      command, {.deadline = longest_report, .most_output = most_page_size, .stop = ended_.get()});
  const Json document = Json::parse(log.output, nullptr, false);
  const bool is_known = log.succeeded() && document.is_object() && document.contains("runs");
  const std::string content =
      fmt::format("<h1>redtune serve</h1>\n{}", facts.whole()) +
      page_section("results", "Results",
                   "<p><a href=\"/devices\">All results of all devices</a></p>\n") +
      page_section("runs", "Runs",
                   is_known ? runs_table(document) : paragraph("There are none yet."));
  return {200, document_of("redtune serve", content)};
}

WebAnswer StatusPages::report(const std::vector<std::string>& words) const {
  std::vector<std::string> command{program_, "report"};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--out", "-"});
  command.insert(command.end(), cache_.begin(), cache_.end());
  auto made = device::host::run_program(
      command, {.deadline = longest_report, .most_output = most_page_size, .stop = ended_.get()});
  if (made.succeeded()) return {200, std::move(made.output)};
  constexpr std::string_view before = "redtune: error: ";
  const auto at = made.errors.find(before);
  return plain_answer(404,
                      at == std::string::npos
                          ? made.ending()
                          : first_line(std::string_view(made.errors).substr(at + before.size())));
}

}  // namespace redtune::cli
