// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The redtune program: finds the sub-command, runs it, and turns every error into one line and an
// exit code.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <system_error>
#include <unistd.h>

#include "cli/cache_common.hpp"
#include "cli/command.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/log_text.hpp"
#include "cli/say.hpp"
#include "cli/serve/service_manager.hpp"
#include "cli/terminal.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {
namespace {

/// A log line's text may be that of a store, a file's name or a compiler's log.
class PrintableText : public spdlog::custom_flag_formatter {
 public:
  explicit PrintableText(LogText text) : text_(std::move(text)) {}
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& line) override {
    const std::string_view said(message.payload.data(), message.payload.size());
    const bool may_quote_a_log = message.level >= spdlog::level::warn;
    const std::string text = may_quote_a_log ? text_.lines(std::string(said)) : text_.line(said);
    line.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PrintableText>(text_);
  }

 private:
  LogText text_;
};

/// "<6>" before each line: the journal takes it for the priority, and knows whose line it is.
class LinesForTheJournal : public spdlog::custom_flag_formatter {
 public:
  explicit LinesForTheJournal(LogText text) : text_(std::move(text)) {}
  void format(const spdlog::details::log_msg& message, const std::tm& time,
              spdlog::memory_buf_t& line) override {
    spdlog::memory_buf_t whole;
    text_.format(message, time, whole);
    const std::string before = fmt::format("<{}>", priority_of(message.level));
    line.append(before.data(), before.data() + before.size());
    for (const char c : whole) {
      line.push_back(c);
      if (c == '\n') line.append(before.data(), before.data() + before.size());
    }
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<LinesForTheJournal>(*this);
  }

 private:
  /// Of syslog(3).
  static int priority_of(spdlog::level::level_enum level) {
    if (level >= spdlog::level::critical) return 2;
    if (level >= spdlog::level::err) return 3;
    if (level >= spdlog::level::warn) return 4;
    return level >= spdlog::level::info ? 6 : 7;
  }

  PrintableText text_;
};

/// Both may be one file: lines stand there whole, and in the order in which they were said.
class LinesInOrder : public spdlog::sinks::stderr_color_sink_mt {
 public:
  using spdlog::sinks::stderr_color_sink_mt::stderr_color_sink_mt;
  void log(const spdlog::details::log_msg& message) override {
    (void)flush_output();
    spdlog::sinks::stderr_color_sink_mt::log(message);
  }
};

/// Log lines go to standard error; standard output belongs to results.
void set_up_log(std::vector<std::string> given) {
  auto sink = std::make_shared<LinesInOrder>(color_wanted(stderr) ? spdlog::color_mode::automatic
                                                                  : spdlog::color_mode::never);
  auto logger = std::make_shared<spdlog::logger>("redtune", std::move(sink));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  std::ranges::copy(values_of_variables(), std::back_inserter(given));
  if (leads_to_journal(STDERR_FILENO)) {
    formatter->add_flag<LinesForTheJournal>('*', LogText(given)).set_pattern("%*");
  } else {
    formatter->add_flag<PrintableText>('*', LogText(given)).set_pattern("redtune: %^%l%$: %*");
  }
  logger->set_formatter(std::move(formatter));
  spdlog::set_default_logger(std::move(logger));
  const char* named = std::getenv("REDTUNE_LOG");
  if (named == nullptr) return;
  const auto level = spdlog::level::from_str(named);
  // What is no level reads as "off".
  if (level == spdlog::level::off && std::string_view(named) != "off") {
    spdlog::warn("REDTUNE_LOG is '{}'; it is one of debug, info, warning, error, off", named);
    return;
  }
  spdlog::set_level(level);
}

/// What stands for 'help' and 'version' where people look for them.
void spell_out(std::vector<std::string>& arguments) {
  std::string& first = arguments[0];
  if (first == "-h" || first == "--help") first = "help";
  if (first == "-V" || first == "--version") first = "version";
  if (arguments.size() != 2 || !is_group(first)) return;
  const std::string& second = arguments[1];
  if (second == "-h" || second == "--help" || second == "help") arguments = {"help", first};
}

bool takes_cache(const Command& command) {
  return std::ranges::find(command.options, "cache", &OptionRow::name) != command.options.end();
}

int dispatch(std::vector<std::string> arguments) {
  if (arguments.empty() || (arguments.size() == 1 && is_group(arguments[0]))) {
    fmt::print("{}", arguments.empty() ? help_of_all() : help_of_group(arguments[0]));
    return static_cast<int>(ExitCode::usage);
  }
  spell_out(arguments);
  const Command& command = find_command(arguments);
  const Options options = parse(command, arguments);
  if (options.has("help")) {
    fmt::print("{}", help(command));
    return 0;
  }
  // What is wrong with a place is what doctor is asked for.
  if (command.run != run_doctor && takes_cache(command)) check_named_place(options);
  return command.run(options);
}

/// One line, whatever the text holds; what follows the first line goes out as it is.
int report(ExitCode code, const char* what) {
  spdlog::error("{}", what);
  return static_cast<int>(code);
}

/// A stream that was closed must not lend its number to a database or a channel. Using it fails as
/// before: what stands in is open for the other direction.
void occupy_standard_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) < 0) (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  }
}

constexpr const char* unwritten = "cannot write to standard output";

int guarded(std::vector<std::string> arguments) {
  try {
    const int code = dispatch(std::move(arguments));
    const int failure = flush_output();
    // A reader that has seen enough, like head, is no failure.
    return failure == 0 || failure == EPIPE ? code : report(ExitCode::io, unwritten);
  } catch (const Error& error) {
    return report(exit_code_of(error), error.what());
  } catch (const std::bad_alloc&) {
    return report(ExitCode::failed, "this machine does not have enough memory for that");
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) == 0) return report(ExitCode::failed, error.what());
    return error.code().value() == EPIPE ? 0 : report(ExitCode::io, unwritten);
  } catch (const std::exception& error) {
    return report(ExitCode::failed, error.what());
  }
}

}  // namespace
}  // namespace redtune::cli

int main(int argc, char** argv) {
  redtune::cli::occupy_standard_streams();
  // A closed pipe and a file at its limit are errors of a write, not a death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  redtune::cli::set_up_log({argv + 1, argv + argc});
  return redtune::cli::guarded({argv + 1, argv + argc});
}
