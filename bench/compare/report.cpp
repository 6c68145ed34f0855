// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/report.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "bench/compare/contest.hpp"
#include "bench/compare/report_across.hpp"
#include "bench/compare/statistics.hpp"
#include "bench/compare/summary.hpp"
#include "bench/compare/text.hpp"

namespace redtune::compare {
namespace {

constexpr std::int64_t mebi = 1 << 20;

/// A heading and how to fill it; the last one, the settings, is as long as it is.
struct Column {
  std::string_view name;
  std::size_t width;
  std::string (*text)(const Cell&, const ModeTimes&);
  bool is_rare = false;  ///< left out where no cell has it
};

std::string microseconds(const ModeTimes& times, std::string_view name) {
  const Times* found = times.find(name);
  return found == nullptr ? "-" : fixed(median_of(found->us).median, 2);
}

std::string ratio_text(const Cell& cell, const ModeTimes& times) {
  const auto ratio = ratio_of(cell, times.mode);
  return ratio ? fixed(ratio->median, 3) : "-";
}

std::string range_text(const Cell& cell, const ModeTimes& times) {
  const auto ratio = ratio_of(cell, times.mode);
  return ratio ? fixed(ratio->low, 3) + ".." + fixed(ratio->high, 3) : "-";
}

std::string bandwidth_text(const Cell& cell, const ModeTimes& times) {
  const Times* own = times.find("redtune");
  if (own == nullptr) return "-";
  return fixed(gigabytes_per_second(cell.problem, median_of(own->us).median), 1);
}

std::string title() {
  return std::string(contest().title);
}

/// Columns without a name are the library's.
constexpr std::array columns{
    Column{"redtune us", 11,
           [](const Cell&, const ModeTimes& t) { return microseconds(t, "redtune"); }},
    Column{
        "", 11,
        [](const Cell&, const ModeTimes& t) { return microseconds(t, to_string(Peer::library)); }},
    Column{"narrow us", 11,
           [](const Cell&, const ModeTimes& t) { return microseconds(t, "narrow"); }, true},
    Column{"ratio", 7, ratio_text},
    Column{"95 %", 14, range_text},
    Column{"GB/s", 8, bandwidth_text},
    Column{"Thrust us", 11,
           [](const Cell&, const ModeTimes& t) { return microseconds(t, "thrust"); }, true},
};

std::string heading_of(Mode mode) {
  switch (mode) {
    case Mode::between:
      return "between: own share between two small kernels of others, in a replayed graph\n";
    case Mode::behind:
      return "behind: own share behind a kernel that has written the input, in a replayed graph\n";
    case Mode::stream:
      return "stream: own share between two small kernels, every launch queued by the host\n";
    case Mode::row:
      return "row: per reduction in a replayed graph of nothing else; no program runs one\n";
  }
  return {};
}

std::string heading_of(const Column& column) {
  return column.name.empty() ? title() + " us" : std::string(column.name);
}

/// The columns that a table of the mode needs.
std::vector<Column> columns_of(const Findings& findings, Mode mode) {
  std::vector<Column> needed;
  for (const Column& column : columns) {
    const bool has_values = std::ranges::any_of(findings.cells, [&](const Cell& cell) {
      const auto times = std::ranges::find(cell.modes, mode, &ModeTimes::mode);
      return times != cell.modes.end() && column.text(cell, *times) != "-";
    });
    if (has_values || !column.is_rare) needed.push_back(column);
  }
  return needed;
}

std::string row_of(const Cell& cell, Mode mode, const std::vector<Column>& shown) {
  std::string row;
  const auto times = std::ranges::find(cell.modes, mode, &ModeTimes::mode);
  if (times != cell.modes.end()) {
    for (const Column& column : shown) row += right(column.text(cell, *times), column.width);
    row += "  ";
  }
  if (cell.state != CellState::measured) row += std::string(to_string(cell.state)) + ": ";
  row += cell.note;
  if (!cell.answer) return row + '\n';
  if (!cell.note.empty()) row += "; ";
  row += left(to_string(cell.answer->match), 8) + to_string(cell.answer->settings);
  return row + '\n';
}

std::string narrow_summary(const std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  return "        narrow/redtune: geometric mean " + fixed(geometric_mean(ratios), 3) + " of " +
         std::to_string(ratios.size()) + " cells\n";
}

std::string mode_summary(const Findings& findings, Mode mode) {
  const Summary summary = summarize(findings.cells, mode);
  std::string text = left(to_string(mode), 8);
  if (summary.ratios.empty()) {
    text += "nothing to compare with " + title() + "\n";
  } else {
    text += title() + "/redtune: geometric mean " + fixed(geometric_mean(summary.ratios), 3) +
            " of " + std::to_string(summary.ratios.size()) + " cells, smallest " +
            fixed(summary.smallest, 3) + " (" + describe(summary.worst->problem) + "), " +
            std::to_string(summary.slower) + " more than 2 % slower\n";
  }
  text += narrow_summary(summary.narrow_ratios);
  if (mode == Mode::stream && !summary.middle_ratios.empty()) {
    text += "        from 2^13 to 2^19: geometric mean " +
            fixed(geometric_mean(summary.middle_ratios), 3) + " of " +
            std::to_string(summary.middle_ratios.size()) + " cells\n";
  }
  for (const Bandwidth& row : summary.bandwidths) {
    text +=
        "        " + name_of(*row.cell, findings) + "redtune " + fixed(row.redtune, 3) + " TB/s";
    if (row.library > 0) text += ", " + title() + " " + fixed(row.library, 3) + " TB/s";
    text += '\n';
  }
  return text;
}

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + name;
  }
  return text.empty() ? "none" : text;
}

std::string peak_text(const ReadPeak& peak) {
  if (peak.gbps <= 0) return "reading alone: not measured, " + peak.shape + '\n';
  return "reading alone: " + fixed(peak.gbps, 1) + " GB/s of " + std::to_string(peak.bytes / mebi) +
         " MiB (" + peak.shape + ")\n";
}

}  // namespace

std::string head_of(const Findings& findings) {
  const Machine& machine = findings.machine;
  const Options& options = findings.options;
  std::string text = machine.device + ", " + std::to_string(machine.compute_units) +
                     " multiprocessors, " + std::to_string(machine.cache_bytes / mebi) +
                     " MiB L2, " + std::to_string(machine.memory_bytes / mebi) + " MiB\n" +
                     std::string(contest().platform) + " driver " + machine.driver + ", runtime " +
                     machine.runtime + ", " + title() + " " + machine.library + " (" +
                     machine.compiler + "), redtune with " + machine.redtune + '\n' +
                     peak_text(machine.read_peak);
  text +=
      options.input == CacheMode::warm
          ? "input: in the cache as far as it fits; up to 16 copies in a quarter of the cache, one "
            "after the other in each sample, and as many workspaces\n"
          : "input: copies in turns, at least twice the L2 together or one for each execution; "
            "the L2 holds other data before each sample\n";
  return text + "redtune is asked for its " + std::string(to_string(options.asked)) +
         " configurations; +N behind a count: the input starts N elements off its alignment\n" +
         std::to_string(options.rounds) + " rounds of all contestants in random order (seed " +
         std::to_string(options.seed) + "), medians; ratio: " + title() +
         "'s time / redtune's, paired by rounds\n"
         "* Sums of integers are accumulated and returned in 64 bits by all, those of 16-bit\n"
         "  floats in f32. The library's temporary storage is allocated before. Results are "
         "compared:\n"
         "  integers and indices exactly, floats to two units in the last place.\n" +
         std::string(contest().notes);
}

std::string table_of(const Findings& findings, Mode mode) {
  std::string text = heading_of(mode);
  const std::vector<Column> shown = columns_of(findings, mode);
  text += name_heading(findings);
  for (const Column& column : shown) text += right(heading_of(column), column.width);
  text += "  match   settings\n";
  for (const Cell& cell : findings.cells) {
    text += name_of(cell, findings) + row_of(cell, mode, shown);
  }
  return text;
}

std::string summary_of(const Findings& findings) {
  std::string text;
  for (const Mode mode : findings.options.modes) {
    for (const std::string& block :
         {equal_bytes_of(findings, mode), offset_costs_of(findings, mode)}) {
      if (!block.empty()) text += block + '\n';
    }
  }
  text += "summary\n";
  for (const Mode mode : findings.options.modes) text += mode_summary(findings, mode);
  std::map<std::string, std::size_t> states;
  std::map<std::string, std::size_t> matches;
  for (const Cell& cell : findings.cells) {
    ++states[std::string(to_string(cell.state))];
    if (cell.state == CellState::measured && !cell.checked) ++states["of them with no peer"];
    if (cell.answer) ++matches[std::string(to_string(cell.answer->match))];
  }
  return text + "cells   " + counts_text(states) + "\nmatches " + counts_text(matches) + '\n';
}

}  // namespace redtune::compare
