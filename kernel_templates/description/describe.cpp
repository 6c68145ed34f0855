// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/describe.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "kernel_templates/description/parts.hpp"
#include "redtune/suggest.hpp"
#include "search/point.hpp"

namespace redtune::kernels {
namespace {

constexpr std::array all_keys{
    StatementKey{"kernel"},     StatementKey{"tune", true},   StatementKey{"require", true},
    StatementKey{"size", true}, StatementKey{"launch", true}, StatementKey{"reference", true},
    StatementKey{"arg", true},  StatementKey{"check", true},  StatementKey{"traffic"}};

/// Statements on their way into a description: what each says first, then what they say of each
/// other.
class Describer {
 public:
  explicit Describer(const DescribedFile& from) : from_(from), folder_(from.folder()) {
    result_.text_file = from.text_file;
  }

  KernelDescription describe(std::span<const Statement> statements) {
    for (const Statement& statement : statements) read(statement);
    if (kernel_.empty()) {
      refuse_at({from_.file}, "no kernel is named; write redtune: kernel NAME");
    }
    require_parts();
    require_distinct_names();
    for (WrittenLaunch& written : launches_) result_.launches.push_back(launch_of(written));
    for (WrittenLaunch& written : references_) result_.references.push_back(launch_of(written));
    add_checks();
    require_known_names();
    return std::move(result_);
  }

 private:
  void read(const Statement& statement) {
    require_key(statement.key, statement.place);
    const auto row = std::ranges::find(all_keys, statement.key, &StatementKey::name);
    if (!row->repeats && !seen_.insert(statement.key).second) {
      refuse_at(statement.place,
                fmt::format("there is a second '{0}'; a description has one {0}", statement.key));
    }
    if (statement.key == "kernel") {
      kernel_ = trimmed(statement.text);
      kernel_place_ = statement.place;
      result_.name = plain_name_of(kernel_, statement.place);
    } else if (statement.key == "tune") {
      result_.tunables.push_back(read_tunable(statement));
      name_places_.push_back(statement.place);
    } else if (statement.key == "size") {
      result_.sizes.push_back(read_size(statement));
      size_places_.push_back(statement.place);
    } else if (statement.key == "require") {
      result_.requirements.push_back(Formula::parse(statement.text, statement.place));
    } else if (statement.key == "launch") {
      launches_.push_back(read_launch(statement));
    } else if (statement.key == "reference") {
      references_.push_back(read_launch(statement));
      if (references_.back().launch.kernel.empty()) {
        refuse_at(statement.place,
                  "a reference has a kernel; write reference NAME block = 256 grid = 1");
      }
    } else if (statement.key == "arg") {
      result_.arguments.push_back(read_argument(statement, folder_));
    } else if (statement.key == "check") {
      checks_.push_back(read_check(statement, folder_));
    } else {
      result_.traffic = Formula::parse(statement.text, statement.place);
    }
  }

  void require_parts() const {
    if (launches_.empty()) {
      refuse_at(kernel_place_,
                "it is not said how the kernel is launched; write redtune: launch block = BLOCK "
                "grid = ceil(n / BLOCK)");
    }
    if (std::ranges::none_of(result_.arguments, &KernelArgument::is_output)) {
      refuse_at(kernel_place_,
                "the kernel has no output; write redtune: arg float NAME[EXTENT] out for what it "
                "writes");
    }
    constexpr double most_problems = 4096;
    double problems = 1;
    for (std::size_t i = 0; i < result_.sizes.size(); ++i) {
      problems *= static_cast<double>(result_.sizes[i].values.size());
      if (problems > most_problems) {
        refuse_at(size_places_[i],
                  fmt::format("these sizes are more than {} problems; list fewer", most_problems));
      }
    }
    if (result_.tunables.size() > search::Point::most_axes) {
      refuse_at(name_places_[search::Point::most_axes],
                fmt::format("there are more than {} tunables", search::Point::most_axes));
    }
  }

  /// Tunables, sizes and what expressions know beside them share one space of names; so do
  /// arguments.
  void require_distinct_names() const {
    std::set<std::string, std::less<>> names{std::string(wave_name), std::string(units_name),
                                             std::string(shared_name)};
    const auto add = [&](const std::string& name, const Place& place) {
      if (name.starts_with(element_prefix) || is_expression_word(name) ||
          !names.insert(name).second) {
        refuse_at(place, fmt::format("the name {} is taken; choose another one", name));
      }
    };
    for (std::size_t i = 0; i < result_.tunables.size(); ++i) {
      add(result_.tunables[i].name, name_places_[i]);
    }
    for (std::size_t i = 0; i < result_.sizes.size(); ++i) {
      add(result_.sizes[i].name, size_places_[i]);
    }
    std::set<std::string_view> arguments;
    for (const KernelArgument& argument : result_.arguments) {
      if (arguments.insert(argument.name).second) continue;
      refuse_at(argument.place, fmt::format("there is a second argument {}", argument.name));
    }
  }

  [[nodiscard]] std::size_t argument_named(const WrittenName& written) const {
    const auto found = std::ranges::find(result_.arguments, written.name, &KernelArgument::name);
    if (found != result_.arguments.end()) {
      return static_cast<std::size_t>(found - result_.arguments.begin());
    }
    std::vector<std::string_view> known;
    for (const KernelArgument& argument : result_.arguments) known.push_back(argument.name);
    refuse_at(written.place, fmt::format("there is no argument '{}'{}; known: {}", written.name,
                                         suggest(written.name, known), join(known)));
  }

  KernelLaunch launch_of(WrittenLaunch& written) const {
    KernelLaunch launch = std::move(written.launch);
    if (launch.kernel.empty()) launch.kernel = kernel_;
    for (const WrittenName& name : written.arguments) {
      const std::size_t number = argument_named(name);
      if (result_.arguments[number].kind == ArgumentKind::constant) {
        refuse_at(name.place,
                  fmt::format("{} is in constant memory, and no argument of a call", name.name));
      }
      launch.arguments.push_back(number);
    }
    if (written.arguments.empty()) {
      for (std::size_t i = 0; i < result_.arguments.size(); ++i) {
        if (result_.arguments[i].kind != ArgumentKind::constant) launch.arguments.push_back(i);
      }
    }
    return launch;
  }

  /// Those that are written, in the order of arguments. Integers are compared with the default's
  /// result, bit by bit, where nothing is said.
  void add_checks() {
    std::vector<const WrittenCheck*> of_argument(result_.arguments.size());
    for (const WrittenCheck& written : checks_) {
      const std::size_t number = argument_named(written.output);
      if (!result_.arguments[number].is_output()) {
        refuse_at(written.output.place,
                  fmt::format("{} is no output, and is not checked", written.output.name));
      }
      if (of_argument[number] != nullptr) {
        refuse_at(written.output.place,
                  fmt::format("there is a second check of {}", written.output.name));
      }
      const DType type = result_.arguments[number].type.dtype;
      if (written.check.tolerance.ulps > 0 && info(type).kind != DTypeKind::floating) {
        refuse_at(written.output.place,
                  fmt::format("ulps are of floats, and {} is of {}; write within 4 absolute",
                              written.output.name, to_string(type)));
      }
      of_argument[number] = &written;
    }
    for (std::size_t i = 0; i < result_.arguments.size(); ++i) {
      if (!result_.arguments[i].is_output()) continue;
      OutputCheck check = of_argument[i] != nullptr ? with_reference(*of_argument[i])
                                                    : check_of_unchecked(result_.arguments[i]);
      check.output = i;
      result_.checks.push_back(std::move(check));
    }
  }

  [[nodiscard]] static OutputCheck check_of_unchecked(const KernelArgument& argument) {
    if (info(argument.type.dtype).kind == DTypeKind::floating) {
      refuse_at(argument.place,
                fmt::format("it is not said how near '{0}' has to be; write redtune: check {0} "
                            "within 1e-5 of default",
                            argument.name));
    }
    return {};
  }

  [[nodiscard]] OutputCheck with_reference(const WrittenCheck& written) const {
    OutputCheck check = written.check;
    if (check.authority != Authority::kernel) return check;
    const auto found =
        std::ranges::find(result_.references, written.reference.name, &KernelLaunch::kernel);
    if (found == result_.references.end()) {
      refuse_at(written.reference.place,
                fmt::format("it is not said how '{0}' is launched; write redtune: reference {0} "
                            "block = 256 grid = 1",
                            written.reference.name));
    }
    check.reference = static_cast<std::size_t>(found - result_.references.begin());
    return check;
  }

  void require_known_names() const {
    std::vector<std::string> elements;
    for (const KernelArgument& argument : result_.arguments) {
      elements.push_back(std::string(element_prefix) + argument.name);
    }
    std::vector<std::string_view> known;
    for (const Tunable& tunable : result_.tunables) {
      // Words are no numbers, and expressions have nothing else.
      if (std::ranges::all_of(tunable.values,
                              [](const auto& one) { return one.number.has_value(); })) {
        known.push_back(tunable.name);
      }
    }
    for (const NamedSize& size : result_.sizes) known.push_back(size.name);
    known.insert(known.end(), {wave_name, units_name, shared_name});
    known.insert(known.end(), elements.begin(), elements.end());
    for (const Formula& formula : result_.requirements) formula.require_known(known);
    for (const auto* launches : {&result_.launches, &result_.references}) {
      for (const KernelLaunch& launch : *launches) {
        for (const Formula& extent : launch.block) extent.require_known(known);
        for (const Formula& extent : launch.grid) extent.require_known(known);
        launch.shared.require_known(known);
      }
    }
    for (const KernelArgument& argument : result_.arguments) {
      require_known_amount(argument, known);
      if (argument.is_output()) require_one_extent(argument);
    }
    if (result_.traffic) result_.traffic->require_known(known);
  }

  /// Results of one config are compared with those of another.
  void require_one_extent(const KernelArgument& argument) const {
    for (const std::string& name : argument.amount.expression.names()) {
      if (find_named(result_.tunables, name) == nullptr) continue;
      refuse_at(argument.amount.place,
                fmt::format("the extent of an output cannot depend on {}; write scratch for what "
                            "launches leave for each other",
                            name));
    }
  }

  static void require_known_amount(const KernelArgument& argument,
                                   std::span<const std::string_view> known) {
    const bool is_by_name = argument.kind == ArgumentKind::scalar && !argument.fraction &&
                            argument.amount.expression.text() == argument.name;
    if (is_by_name && std::ranges::find(known, argument.name) == known.end()) {
      refuse_at(
          argument.place,
          fmt::format("no size and no tunable is named {0}; write its value behind it: arg {1} "
                      "{0} = 1",
                      argument.name, to_string(argument.type)));
    }
    argument.amount.require_known(known);
  }

  const DescribedFile& from_;
  std::string folder_;
  KernelDescription result_;
  std::string kernel_;
  Place kernel_place_;
  std::vector<Place> name_places_;
  std::vector<Place> size_places_;
  std::vector<WrittenLaunch> launches_;
  std::vector<WrittenLaunch> references_;
  std::vector<WrittenCheck> checks_;
  std::set<std::string> seen_;
};

}  // namespace

std::string DescribedFile::folder() const {
  return std::filesystem::path(file).parent_path().generic_string();
}

std::span<const StatementKey> statement_keys() {
  return all_keys;
}

void require_key(std::string_view key, const Place& place) {
  if (std::ranges::find(all_keys, key, &StatementKey::name) != all_keys.end()) return;
  std::vector<std::string_view> known;
  for (const StatementKey& row : all_keys) known.push_back(row.name);
  refuse_at(place, fmt::format("unknown key '{}'{}; known: {}", key.substr(0, 40),
                               suggest(key, known), join(known)));
}

KernelDescription describe(const DescribedFile& from, std::span<const Statement> statements) {
  return Describer(from).describe(statements);
}

}  // namespace redtune::kernels
