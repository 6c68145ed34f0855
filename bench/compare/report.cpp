// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "bench/compare/across.hpp"
#include "bench/compare/contest.hpp"
#include "bench/compare/statistics.hpp"
#include "bench/compare/summary.hpp"

namespace redtune::compare {
namespace {

constexpr std::int64_t mebi = 1 << 20;

/// What a row of a table is about.
struct Row {
  const Cell& cell;
  const ModeTimes& times;
  double roof;  ///< GB/s of reading alone; 0: not measured
};

/// A heading and how to fill it; the last one, the settings, is as long as it is.
struct Column {
  std::string_view name;
  std::size_t width;
  std::string (*text)(const Row&);
  bool is_rare = false;  ///< left out where no cell has it
};

std::string microseconds(const Row& row, std::string_view name) {
  const Times* found = row.times.find(name);
  return found == nullptr ? "-" : fmt::format("{:.2f}", median_of(found->us).median);
}

std::string ratio_text(const Row& row) {
  const auto ratio = ratio_of(row.cell, row.times.mode);
  return ratio ? fmt::format("{:.3f}", ratio->median) : "-";
}

std::string range_text(const Row& row) {
  const auto ratio = ratio_of(row.cell, row.times.mode);
  return ratio ? fmt::format("{:.3f}..{:.3f}", ratio->low, ratio->high) : "-";
}

/// How fast segments are beside rows of the same elements: 100 % is as fast.
std::string of_rows_text(const Row& row) {
  const auto ratio = ratio_to_rows(row.cell, row.times.mode);
  return ratio ? fmt::format("{:.1f} %", 100 * ratio->median) : "-";
}

/// Of redtune; 0 where it was not timed.
double bandwidth_of(const Cell& cell, const ModeTimes& times) {
  const Times* own = times.find("redtune");
  return own == nullptr ? 0 : gigabytes_per_second(cell, median_of(own->us).median);
}

std::string bandwidth_text(const Row& row) {
  const double bandwidth = bandwidth_of(row.cell, row.times);
  return bandwidth > 0 ? fmt::format("{:.1f}", bandwidth) : "-";
}

std::string share_text(const Row& row) {
  const double bandwidth = bandwidth_of(row.cell, row.times);
  return bandwidth > 0 && row.roof > 0 ? fmt::format("{:.1f} %", 100 * bandwidth / row.roof) : "-";
}

/// Of what plain reading and writing gives where results are more than a trifle.
std::string mix_text(const Row& row) {
  const double bandwidth = bandwidth_of(row.cell, row.times);
  const double peak = row.cell.mix_peak;
  return bandwidth > 0 && peak > 0 ? fmt::format("{:.1f} %", 100 * bandwidth / peak) : "-";
}

/// Columns without a name are the library's.
constexpr std::array columns{
    Column{"redtune us", 11, [](const Row& row) { return microseconds(row, "redtune"); }},
    Column{"", 11, [](const Row& row) { return microseconds(row, to_string(Peer::library)); }},
    Column{"fixed us", 11, [](const Row& row) { return microseconds(row, "fixed"); }, true},
    Column{"narrow us", 11, [](const Row& row) { return microseconds(row, "narrow"); }, true},
    Column{"rows us", 11, [](const Row& row) { return microseconds(row, rows_beside_segments); },
           true},
    Column{"of rows", 9, of_rows_text, true},
    Column{"shares us", 11, [](const Row& row) { return microseconds(row, plan_in_shares); }, true},
    Column{"bins us", 11, [](const Row& row) { return microseconds(row, plan_in_bins); }, true},
    Column{"ratio", 7, ratio_text},
    Column{"95 %", 14, range_text},
    Column{"GB/s", 8, bandwidth_text},
    Column{"of the roof", 13, share_text, true},
    Column{"of the mix", 12, mix_text, true},
    Column{"Thrust us", 11, [](const Row& row) { return microseconds(row, "thrust"); }, true},
};

std::string heading_of(Mode mode) {
  switch (mode) {
    case Mode::between:
      return "between: own share between two small kernels, in a replayed graph\n";
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
  return column.name.empty() ? fmt::format("{} us", contest().title) : std::string(column.name);
}

/// The columns that a table of the mode needs.
std::vector<Column> columns_of(const Findings& findings, Mode mode) {
  const double roof = findings.machine.read_peak.gbps;
  std::vector<Column> needed;
  for (const Column& column : columns) {
    const bool has_values = std::ranges::any_of(findings.cells, [&](const Cell& cell) {
      const auto times = std::ranges::find(cell.modes, mode, &ModeTimes::mode);
      return times != cell.modes.end() && column.text({cell, *times, roof}) != "-";
    });
    if (has_values || !column.is_rare) needed.push_back(column);
  }
  return needed;
}

/// The columns; nothing where the cell was not timed in the mode.
std::string figures_of(const Row& of, const std::vector<Column>& shown) {
  std::string row;
  for (const Column& column : shown) row += fmt::format("{:>{}}", column.text(of), column.width);
  return row + "  ";
}

/// What stands behind the figures.
std::string remarks_of(const Cell& cell) {
  std::string row;
  if (cell.state != CellState::measured) row += fmt::format("{}: ", to_string(cell.state));
  row += cell.note;
  if (!cell.answer) return row + '\n';
  if (!cell.note.empty()) row += "; ";
  return row +
         fmt::format("{:<8}{}\n", to_string(cell.answer->match), to_string(cell.answer->settings));
}

std::string peer_summary(Peer peer, const std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  return fmt::format("        {}/redtune: geometric mean {:.3f} of {} cells\n", to_string(peer),
                     geometric_mean(ratios), ratios.size());
}

std::string rows_summary(const Summary& summary) {
  if (summary.rows_ratios.empty()) return {};
  return fmt::format(
      "        rows/redtune: geometric mean {:.3f} of {} cells of {} elements and more, smallest "
      "{:.3f}, {} more than {:.0f} % slower\n",
      geometric_mean(summary.rows_ratios), summary.rows_ratios.size(), rows_from,
      std::ranges::min(summary.rows_ratios), summary.behind_rows, 100 * behind_rows_by);
}

/// How near redtune comes to a roof of each cell, in GB/s; 0 where it has none.
template <class Roof>
std::string roof_summary(const Findings& findings, Mode mode, std::string_view name,
                         const Roof& roof_of) {
  std::vector<double> shares;
  const Cell* farthest = nullptr;
  for (const Cell& cell : findings.cells) {
    const ModeTimes* times = times_of(cell, mode);
    const double bandwidth = times == nullptr ? 0 : bandwidth_of(cell, *times);
    const double roof = roof_of(cell);
    if (bandwidth <= 0 || roof <= 0) continue;
    if (shares.empty() || bandwidth / roof < std::ranges::min(shares)) farthest = &cell;
    shares.push_back(bandwidth / roof);
  }
  if (farthest == nullptr) return {};
  return fmt::format(
      "        redtune/{}: geometric mean {:.1f} % of {} cells, smallest {:.1f} % "
      "({})\n",
      name, 100 * geometric_mean(shares), shares.size(), 100 * std::ranges::min(shares),
      describe(farthest->problem));
}

std::string mode_summary(const Findings& findings, Mode mode) {
  const Summary summary = summarize(findings.cells, mode);
  const std::string_view title = contest().title;
  std::string text = fmt::format("{:<8}", to_string(mode));
  if (summary.ratios.empty()) {
    text += fmt::format("nothing to compare with {}\n", title);
  } else {
    text += fmt::format(
        "{}/redtune: geometric mean {:.3f} of {} cells, smallest {:.3f} ({}), {} more than 2 % "
        "slower\n",
        title, geometric_mean(summary.ratios), summary.ratios.size(), summary.smallest,
        describe(summary.worst->problem), summary.slower);
  }
  text += peer_summary(Peer::fixed, summary.fixed_ratios);
  text += peer_summary(Peer::narrow, summary.narrow_ratios);
  text += rows_summary(summary);
  const double read_peak = findings.machine.read_peak.gbps;
  text += roof_summary(findings, mode, "reading alone", [&](const Cell&) { return read_peak; });
  text += roof_summary(findings, mode, "the mix", [](const Cell& cell) { return cell.mix_peak; });
  if (mode == Mode::stream && !summary.middle_ratios.empty()) {
    text += fmt::format("        from 2^13 to 2^19: geometric mean {:.3f} of {} cells\n",
                        geometric_mean(summary.middle_ratios), summary.middle_ratios.size());
  }
  for (const Bandwidth& row : summary.bandwidths) {
    text += fmt::format("        {}redtune {:.3f} TB/s", name_of(*row.cell, findings), row.redtune);
    if (row.library > 0) text += fmt::format(", {} {:.3f} TB/s", title, row.library);
    text += '\n';
  }
  return text;
}

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  return text.empty() ? "none" : text;
}

std::string peak_text(const ReadPeak& peak) {
  if (peak.gbps <= 0) return fmt::format("reading alone: not measured, {}\n", peak.shape);
  return fmt::format("reading alone: {:.1f} GB/s of {} MiB ({})\n", peak.gbps, peak.bytes / mebi,
                     peak.shape);
}

}  // namespace

std::string head_of(const Findings& findings) {
  const Machine& machine = findings.machine;
  const Options& options = findings.options;
  const std::string_view input =
      options.input == CacheMode::warm
          ? "input: in the cache as far as it fits; up to 16 copies in a quarter of the cache, one "
            "after the other in each sample, and as many workspaces\n"
          : "input: copies in turns, at least twice the L2 together or one for each execution; "
            "the L2 holds other data before each sample\n";
  return fmt::format(
      "{}, {} multiprocessors, {} MiB L2, {} MiB\n"
      "{} driver {}, runtime {}, {} {} ({}), redtune with {}\n{}{}"
      "redtune is asked for its {} configurations; +N behind a shape: the input starts N elements "
      "off its alignment\n"
      "{} rounds of all contestants in random order (seed {}), medians; ratio: {}'s time / "
      "redtune's, paired by rounds\n"
      "GB/s: elements and results that redtune moves; of the roof: of what reading alone gives; of "
      "the mix: of\n"
      "  what plain reading and writing gives, as much of it written\n"
      "* Sums of integers are accumulated and returned in 64 bits by all, those of 16-bit\n"
      "  floats in f32. The library's temporary storage is allocated before. Results are "
      "compared:\n"
      "  integers and indices exactly, floats to two units in the last place.\n{}",
      machine.device, machine.compute_units, machine.cache_bytes / mebi,
      machine.memory_bytes / mebi, contest().platform, machine.driver, machine.runtime,
      contest().title, machine.library, machine.compiler, machine.redtune,
      peak_text(machine.read_peak), input, to_string(options.asked), options.rounds, options.seed,
      contest().title, contest().notes);
}

std::string table_of(const Findings& findings, Mode mode) {
  std::string text = heading_of(mode);
  const std::vector<Column> shown = columns_of(findings, mode);
  text += name_heading(findings);
  for (const Column& column : shown) {
    text += fmt::format("{:>{}}", heading_of(column), column.width);
  }
  text += "  match   settings\n";
  for (const Cell& cell : findings.cells) {
    const auto times = std::ranges::find(cell.modes, mode, &ModeTimes::mode);
    text += name_of(cell, findings);
    if (times != cell.modes.end()) {
      text += figures_of({cell, *times, findings.machine.read_peak.gbps}, shown);
    }
    text += remarks_of(cell);
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
  return text + fmt::format("cells   {}\nmatches {}\n", counts_text(states), counts_text(matches));
}

}  // namespace redtune::compare
