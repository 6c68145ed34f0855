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
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exit_code.hpp"
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
/// Who asks and asks starts no process each time.
constexpr auto kept_for = std::chrono::seconds(2);
constexpr std::size_t most_kept = 8;

WebAnswer not_found(const std::string& text) {
  const std::string title = "redtune: no such page";
  return {404, document_of(title, fmt::format("<h1>{}</h1>\n{}<p><a href=\"/\">Back</a></p>\n",
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

WebAnswer StatusPages::page(const std::string& path) {
  constexpr std::string_view runs = "/runs/";
  if (path == "/") return first_page();
  if (path == "/devices") return report({});
  if (path.starts_with(runs)) {
    const std::string number = path.substr(runs.size());
    const bool is_number = !number.empty() && number.size() < 19 &&
                           number.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) return report({number});
  }
  return not_found("There is /, /devices and /runs/NUMBER.");
}

StatusPages::Printed StatusPages::run(Words words) const {
  const std::string name = fmt::format("redtune {}", fmt::join(words, " "));
  words.insert(words.begin(), program_);
  words.insert(words.end(), cache_.begin(), cache_.end());
  auto made = device::host::run_program(
      words, {.deadline = longest_report, .most_output = most_page_size, .stop = ended_.get()});
  if (made.succeeded()) return {.text = std::move(made.output)};
  constexpr std::string_view before = "redtune: error: ";
  const auto at = made.errors.find(before);
  const std::string why =
      at == std::string::npos
          ? made.ending()
          : first_line(std::string_view(made.errors).substr(at + before.size()));
  const bool is_refused = WIFEXITED(made.status) &&
                          WEXITSTATUS(made.status) == static_cast<int>(ExitCode::usage) &&
                          !made.timed_out && !made.stopped;
  if (!is_refused) throw IoError(fmt::format("{}: {}", name, why));
  return {.refusal = why};
}

const StatusPages::Printed& StatusPages::printed(const Words& words) {
  std::erase_if(printed_, [](const auto& one) { return one.second.until < Clock::now(); });
  if (const auto found = printed_.find(words); found != printed_.end()) return found->second;
  if (printed_.size() >= most_kept) printed_.clear();
  Printed made = run(words);
  made.until = Clock::now() + kept_for;
  return printed_[words] = std::move(made);
}

WebAnswer StatusPages::first_page() {
  FactList facts;
  {
    const std::lock_guard lock(mutex_);
    facts.add("now", printable(state_));
  }
  facts.add("devices", fmt::format("{}", fmt::join(devices_, ", ")));
  facts.add("redtune", version);
  const Printed& log = printed({"log", "--json"});
  const std::string content =
      fmt::format("<h1>redtune serve</h1>\n{}", facts.whole()) +
      page_section("results", "Results",
                   "<p><a href=\"/devices\">All results of all devices</a></p>\n") +
      page_section("runs", "Runs",
                   log.refusal.empty() ? runs_table(Json::parse(log.text))
                                       : paragraph("No runs: " + log.refusal));
  return {200, document_of("redtune serve", content)};
}

WebAnswer StatusPages::report(const Words& words) {
  Words command{"report"};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--out", "-"});
  const Printed& made = printed(command);
  return made.refusal.empty() ? WebAnswer{200, made.text} : not_found(made.refusal);
}

}  // namespace redtune::cli
