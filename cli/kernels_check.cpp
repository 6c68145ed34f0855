// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune kernels check FILE: reads what a file says of a kernel, runs its default once, and shows
// what was understood. The kernel runs in a process of its own, which it may take down.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/own_kernel.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "device/host/child.hpp"
#include "device/host/subprocess.hpp"
#include "kernel_templates/description/describe_in_text.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "tuner/own_kernel/check_kernel.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

using kernels::KernelDescription;

constexpr auto check_deadline = std::chrono::minutes(2);

std::string described_file(const Options& options) {
  if (options.words().size() == 1) return options.words()[0];
  throw UsageError("name one FILE: a kernel with '// redtune:' lines, a .toml, or a .json of T1");
}

Json tunables_json(const KernelDescription& description) {
  Json all = Json::array();
  for (const kernels::Tunable& tunable : description.tunables) {
    Json values = Json::array();
    for (const kernels::TunableValue& value : tunable.values) values.push_back(value.text);
    all.push_back({{"name", tunable.name},
                   {"values", values},
                   {"default", tunable.values[tunable.default_index].text}});
  }
  return all;
}

Json arguments_json(const KernelDescription& description, const kernels::KernelPlan& plan) {
  Json all = Json::array();
  for (std::size_t i = 0; i < description.arguments.size(); ++i) {
    const kernels::KernelArgument& argument = description.arguments[i];
    Json one{{"name", argument.name}, {"type", to_string(argument.type)}};
    if (!argument.is_memory()) {
      one["kind"] = "scalar";
      if (argument.fraction)
        one["value"] = *argument.fraction;
      else
        one["value"] = plan.amounts[i];
    } else {
      one["kind"] = argument.kind == kernels::ArgumentKind::constant ? "constant" : "buffer";
      one["elements"] = plan.amounts[i];
      one["access"] = to_string(argument.access);
      one["fill"] = to_string(argument.fill);
    }
    all.push_back(std::move(one));
  }
  return all;
}

Json document_of(const KernelDescription& description, const tuner::KernelProblem& problem,
                 const tuner::CheckedKernel& checked, const std::string& device) {
  Json sizes = Json::object();
  for (std::size_t i = 0; i < description.sizes.size(); ++i) {
    sizes[description.sizes[i].name] = problem.sizes[i];
  }
  Json launches = Json::array();
  for (const kernels::PlannedLaunch& launch : checked.plan.launches) {
    Json arguments = Json::array();
    for (const std::size_t number : launch.arguments) {
      arguments.push_back(description.arguments[number].name);
    }
    launches.push_back({{"name", launch.kernel},
                        {"grid", launch.grid},
                        {"block", launch.block},
                        {"shared_bytes", launch.shared_bytes},
                        {"arguments", arguments}});
  }
  Json checks = Json::array();
  for (const auto& check : description.checks) checks.push_back(to_string(description, check));
  return {{"kernel", description.name},
          {"file", description.text_file},
          {"device", device},
          {"tunables", tunables_json(description)},
          {"combinations", checked.combinations},
          {"configs", checked.configs ? Json(*checked.configs) : Json()},
          {"sizes", sizes},
          {"problems", kernels::problems_of(description).size()},
          {"launches", launches},
          {"arguments", arguments_json(description, checked.plan)},
          {"checks", checks},
          {"traffic", checked.plan.traffic ? Json(*checked.plan.traffic) : Json()},
          {"remarks", description.remarks},
          {"inputs", checked.inputs},
          {"time_us", checked.time_us}};
}

// One screen for people, from the document.

std::string listed(const Json& values, const std::string& marked) {
  constexpr std::size_t most_shown = 12;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = values[i].get<std::string>();
    if (i >= most_shown && value != marked && i + 1 < values.size()) continue;
    if (i > most_shown && text.find("...") == std::string::npos) text += " ...";
    text += value == marked ? fmt::format(" [{}]", value) : " " + value;
  }
  if (values.size() > most_shown) text += fmt::format(" ({} values)", values.size());
  return text;
}

std::string extents_text(const Json& extents) {
  std::string text = extents[0].dump();
  const bool is_deep = extents[2] != 1;
  if (extents[1] != 1 || is_deep) text += " x " + extents[1].dump();
  return is_deep ? text + " x " + extents[2].dump() : text;
}

/// Lines under one word.
class WordedLines {
 public:
  explicit WordedLines(std::string_view word) : word_(word) {}
  void line(const std::string& text) {
    say("{:<10} {}\n", word_, text);
    word_ = "";
  }

 private:
  std::string_view word_;
};

void print_launches(const Json& launches) {
  WordedLines section("launch");
  for (const Json& launch : launches) {
    std::string text =
        fmt::format("{}: {} block{} of {} threads", launch["name"].get<std::string>(),
                    extents_text(launch["grid"]), launch["grid"] == Json{1, 1, 1} ? "" : "s",
                    extents_text(launch["block"]));
    if (launch["shared_bytes"] != 0) {
      text += fmt::format(", {} bytes of shared memory", launch["shared_bytes"].dump());
    }
    section.line(text);
  }
}

void print_arguments(const Json& arguments) {
  WordedLines section("arguments");
  for (const Json& argument : arguments) {
    const auto text_of = [&](const char* name) { return argument[name].get<std::string>(); };
    const std::string kind = text_of("kind");
    if (kind == "scalar") {
      section.line(
          fmt::format("{} {} = {}", text_of("type"), text_of("name"), argument["value"].dump()));
      continue;
    }
    std::string text = fmt::format("{}{} {}[{}]", kind == "constant" ? "constant " : "",
                                   text_of("type"), text_of("name"), argument["elements"].dump());
    for (const char* part : {"access", "fill"}) {
      if (!text_of(part).empty()) text += " " + text_of(part);
    }
    section.line(text);
  }
}

void print_document(const Json& document) {
  const auto text_of = [&](const char* name) { return document[name].get<std::string>(); };
  say("kernel     {} of {}\ndevice     {}\n", text_of("kernel"), text_of("file"),
      text_of("device"));
  WordedLines tunables("tunables");
  for (const Json& tunable : document["tunables"]) {
    tunables.line(fmt::format("{} ={}", tunable["name"].get<std::string>(),
                              listed(tunable["values"], tunable["default"].get<std::string>())));
  }
  const double combinations = document["combinations"].get<double>();
  if (document["configs"].is_null())
    say("configs    not counted, of {:.0f} combinations\n", combinations);
  else
    say("configs    {} of {:.0f} combinations may run\n", document["configs"].dump(), combinations);
  std::vector<std::string> sizes;
  for (const auto& size : document["sizes"].items()) {
    sizes.push_back(fmt::format("{} = {}", size.key(), size.value().dump()));
  }
  const auto problems = document["problems"].get<std::size_t>();
  if (!sizes.empty()) {
    say("sizes      {}{}\n", fmt::format("{}", fmt::join(sizes, ", ")),
        problems == 1 ? "" : fmt::format(" (one of {} problems)", problems));
  }
  print_launches(document["launches"]);
  print_arguments(document["arguments"]);
  WordedLines checks("checks");
  for (const Json& check : document["checks"]) checks.line(check.get<std::string>());
  if (!document["traffic"].is_null()) {
    say("traffic    {:.0f} bytes\n", document["traffic"].get<double>());
  }
  WordedLines remarks("remarks");
  for (const Json& remark : document["remarks"]) remarks.line(remark.get<std::string>());
  const auto inputs = document["inputs"].get<std::size_t>();
  say("right      on {}, again and again; one run took {:.2f} us\n",
      inputs == 1 ? "its input" : fmt::format("{} inputs", inputs),
      document["time_us"].get<double>());
}

}  // namespace

int run_check_worker(const Options& options) {
  device::host::die_with_parent();
  const KernelDescription description = kernels::read_description(described_file(options));
  const tuner::KernelProblem problem{&description, sizes_asked(options, description)};
  const OpenDevice opened = open_device(options);
  const device::Platform& platform = *opened.selection.platform;
  const DeviceIdentity& identity = opened.device->identity();
  const CompilePool compiler(target_of(platform, identity), worker_command(), 1);
  const auto words =
      platform.name() == "host" ? kernels::KernelWords::told : kernels::KernelWords::known;
  const auto checked = tuner::check_kernel(*opened.device, problem, compiler, words);
  print_json(document_of(description, problem, checked,
                         fmt::format("{} ({})", identity.name, opened.selection.text())));
  return 0;
}

int run_kernels_check(const Options& options) {
  const std::string file = described_file(options);
  const KernelDescription description = kernels::read_description(file);
  (void)sizes_asked(options, description);
  std::vector<std::string> command = check_worker_command();
  command.insert(command.end(), {file, "--device", options.text("device")});
  for (const std::string& size : options.all("size")) {
    command.insert(command.end(), {"--size", size});
  }
  const auto finished = device::host::run_program(
      command, {.deadline = check_deadline, .most_output = std::size_t{16} << 20});
  if (finished.timed_out) {
    throw Error(
        fmt::format("{}: {} did not end within {} minutes; does it wait for what never "
                    "comes? Smaller sizes are asked for by --size",
                    description.text_file, description.name, check_deadline.count()));
  }
  if (WIFSIGNALED(finished.status)) {
    throw Error(
        fmt::format("{}: {} ended its process ({}): does it read or write what is not its "
                    "own, or divide by zero?",
                    description.text_file, description.name, finished.ending()));
  }
  fmt::print(stderr, "{}", finished.errors);
  if (!finished.succeeded()) return WEXITSTATUS(finished.status);
  if (options.has("json")) {
    fmt::print("{}", finished.output);
    return 0;
  }
  print_document(Json::parse(finished.output));
  return 0;
}

}  // namespace redtune::cli
