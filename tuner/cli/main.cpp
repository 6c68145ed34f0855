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
#include <new>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <system_error>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "redtune/version.hpp"
#include "tuner/cli/cache_common.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/commands.hpp"
#include "tuner/cli/terminal.hpp"
#include "tuner/report/printable.hpp"

namespace redtune::tuner::cli {
namespace {

/// A log line's text may be that of a store, a file's name or a compiler's log.
class PrintableText : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& line) override {
    const std::string text = printable_lines({message.payload.data(), message.payload.size()});
    line.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<PrintableText>();
  }
};

/// Log lines go to standard error; standard output belongs to results.
void set_up_log() {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
      color_wanted(stderr) ? spdlog::color_mode::automatic : spdlog::color_mode::never);
  auto logger = std::make_shared<spdlog::logger>("redtune", std::move(sink));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<PrintableText>('*').set_pattern("redtune: %^%l%$: %*");
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

/// The command whose words the arguments start with; they are taken off.
const Command& find_command(std::vector<std::string>& arguments) {
  std::vector<std::string_view> names;
  const std::string one = arguments[0];
  const std::string two = arguments.size() > 1 ? fmt::format("{} {}", one, arguments[1]) : one;
  for (const Command& command : commands()) {
    if (!command.is_hidden) names.push_back(command.words);
    if (command.words != one && command.words != two) continue;
    arguments.erase(arguments.begin(), arguments.begin() + (command.words == one ? 1 : 2));
    return command;
  }
  std::string group;
  for (const std::string_view name : names) {
    if (name.starts_with(one + " "))
      group += fmt::format("{}redtune {}", group.empty() ? "" : ", ", name);
  }
  if (!group.empty()) throw UsageError(fmt::format("'{}' needs another word: {}", one, group));
  throw UsageError(
      fmt::format("unknown command '{}'{}; see: redtune --help", one, suggest(one, names)));
}

bool takes_cache(const Command& command) {
  return std::ranges::find(command.options, "cache", &OptionRow::name) != command.options.end();
}

int dispatch(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "help") {
    fmt::print("{}", help_of_all());
    return static_cast<int>(arguments.empty() ? ExitCode::usage : ExitCode::done);
  }
  if (arguments[0] == "--version") {
    fmt::print("redtune {}\n", version);
    return 0;
  }
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
    if (std::fflush(stdout) == 0) return code;
    // A reader that has seen enough, like head, is no failure.
    return errno == EPIPE ? code : report(ExitCode::io, unwritten);
  } catch (const Error& error) {
    return report(error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return report(ExitCode::failed, "this machine has not enough memory for that");
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) == 0) return report(ExitCode::failed, error.what());
    return error.code().value() == EPIPE ? 0 : report(ExitCode::io, unwritten);
  } catch (const std::exception& error) {
    return report(ExitCode::failed, error.what());
  }
}

}  // namespace
}  // namespace redtune::tuner::cli

int main(int argc, char** argv) {
  redtune::tuner::cli::occupy_standard_streams();
  // A closed pipe and a file at its limit are errors of a write, not a death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  redtune::tuner::cli::set_up_log();
  return redtune::tuner::cli::guarded({argv + 1, argv + argc});
}
