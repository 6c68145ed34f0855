// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// When an output is right: how near it is, to what.
#include <fmt/format.h>

#include "kernel_templates/description/parts.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view check_usage =
    "check NAME within 1e-5 of default, or exact, within 1e-6 relative, within 4 ulps, of kernel "
    "NAME, of file NAME";

/// One way to be near enough, added to those before.
void read_nearness(StatementReader& reader, Tolerance& tolerance) {
  reader.skip_blanks();
  const std::size_t at = reader.offset();
  const double amount = reader.require_number("a tolerance");
  if (amount <= 0) {
    reader.refuse_from(
        at, fmt::format("a tolerance of {} is none; write exact, or a number above 0", amount));
  }
  if (reader.take_word("relative")) {
    tolerance.relative = amount;
  } else if (reader.take_word("ulps")) {
    tolerance.ulps = amount;
  } else {
    (void)reader.take_word("absolute");
    tolerance.absolute = amount;
  }
}

}  // namespace

WrittenCheck read_check(const Statement& statement, const std::string& folder) {
  StatementReader reader(statement);
  WrittenCheck written;
  reader.skip_blanks();
  written.output.place = reader.place();
  written.output.name = reader.require_word("an output's name", check_usage);
  OutputCheck& check = written.check;
  if (!reader.take_word("exact")) {
    if (!reader.take_word("within")) {
      reader.refuse(fmt::format("it is not said how near '{}' has to be; write {}",
                                written.output.name, check_usage));
    }
    do {
      read_nearness(reader, check.tolerance);
    } while (reader.take_word("or"));
  }
  if (reader.is_done()) return written;
  if (!reader.take_word("of")) reader.require_done(check_usage);
  if (reader.take_word("kernel")) {
    check.authority = Authority::kernel;
    reader.skip_blanks();
    written.reference = {std::string(trimmed(reader.rest())), reader.place()};
    (void)plain_name_of(written.reference.name, written.reference.place);
    return written;
  }
  if (reader.take_word("file")) {
    check.authority = Authority::file;
    check.path = path_beside(folder, reader.require_path());
  } else if (!reader.take_word("default")) {
    reader.refuse(
        fmt::format("it is not said what '{}' is compared with; write of default, of "
                    "kernel NAME or of file NAME",
                    written.output.name));
  }
  reader.require_done(check_usage);
  return written;
}

}  // namespace redtune::kernels
