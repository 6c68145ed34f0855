// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/lookup_store.hpp"

#include <array>
#include <fmt/format.h>

#include "cache/keys/fields_text.hpp"
#include "cache/keys/key.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/space_key.hpp"

namespace redtune::bench {
namespace {

constexpr int counts = 40;
constexpr std::array ops{Op::sum, Op::min, Op::max, Op::argmax, Op::product};
constexpr std::array types{DType::f32, DType::f64, DType::f16, DType::i32, DType::i64};
constexpr int kinds = static_cast<int>(ops.size() * types.size());

/// Of the host's platform, so that no vendor's library is loaded.
DeviceIdentity invented_device(int number) {
  return {.device_class = {.platform = "host",
                           .isa = "x86-64-v3",
                           .model = fmt::format("invented {}", number),
                           .partition = fmt::format("part {}", number),
                           .compute_units = 8,
                           .wave_size = 1,
                           .last_level_cache_bytes = std::int64_t{32} << 20,
                           .memory_bytes = std::int64_t{64} << 30},
          .toolchain = {.driver = "invented 1", .runtime = "invented 1", .compiler = "cc 12"},
          .name = fmt::format("Invented {}", number)};
}

/// A few hundred differ, as they do among results of many devices.
Settings settings_of(int entry) {
  const kernels::Family& family = kernels::find_family("reduce");
  return family.settings_at(family.point_of(parse_settings(
      fmt::format("finish=second_pass block_size={} items_per_thread={} vector_width={} "
                  "blocks_per_unit={}",
                  1 << entry % 3, 8 << entry % 4, 1 << entry % 4, 1 << entry % 5))));
}

cache::RunStart start_of(const Asked& asked) {
  const kernels::Family& family = kernels::find_family("reduce");
  return {.family = std::string(family.name()),
          .space_key = runtime::space_key(family),
          .problem = asked.problem,
          .device = asked.device};
}

cache::Best best_of(const Settings& settings) {
  return {.settings = settings,
          .time_us = {10, 10.5, 11},
          .default_us = 12.6,
          .gain = {1.1, 1.2, 1.3},
          .gigabytes_per_second = 6391,
          .reason = "winner",
          .samples = 70};
}

void keep(cache::Database& database, const char* table, const cache::Key& key) {
  database.prepare(fmt::format("INSERT OR IGNORE INTO {} (key, fields) VALUES (?, ?)", table))
      .bind(key.hash, cache::to_json_text(key.fields))
      .run();
}

/// Rows like those that publishing wrote, without a snapshot after each.
void add_copies(cache::Database& database, int entries) {
  cache::Transaction transaction(database);
  for (int entry = 1; entry < entries; ++entry) {
    const Asked asked = question(entry);
    const cache::Key problem = cache::key_of(asked.problem);
    const cache::Key device_class = cache::key_of(asked.device.device_class);
    const cache::Key config = cache::key_of(settings_of(entry));
    keep(database, "problem", problem);
    keep(database, "device_class", device_class);
    keep(database, "config", config);
    database
        .prepare(
            "INSERT INTO run (family, space, problem, device_class, toolchain, device_name,"
            " device_address, strategy, seed, budget, program_version, command_line, state, host,"
            " boot, pid_namespace, pid, process_start)"
            " SELECT family, space, ?, ?, toolchain, ?, device_address, strategy, seed, budget,"
            " program_version, command_line, state, host, boot, pid_namespace, pid, process_start"
            " FROM run WHERE id = 1")
        .bind(problem.hash, device_class.hash, asked.device.name)
        .run();
    database
        .prepare(
            "INSERT INTO best (run, config, low_us, median_us, high_us, default_us, gain_low,"
            " gain_median, gain_high, gigabytes_per_second, reason, samples)"
            " SELECT ?, ?, low_us, median_us, high_us, default_us, gain_low, gain_median,"
            " gain_high, gigabytes_per_second, reason, samples FROM best WHERE generation = 1")
        .bind(database.last_row(), config.hash)
        .run();
  }
  transaction.commit();
}

}  // namespace

Asked question(int entry) {
  const int kind = entry / counts % kinds;
  const Op op = ops[static_cast<std::size_t>(kind) % ops.size()];
  const DType type = types[static_cast<std::size_t>(kind) / ops.size()];
  const std::int64_t count = (std::int64_t{4} + entry % 4) << (10 + entry % counts / 4);
  return {make_problem(op, type, count), invented_device(entry / (counts * kinds))};
}

void make_store(const std::filesystem::path& file, int entries) {
  {
    cache::Store store = cache::Store::open(file);
    const cache::RunId run = store.begin(start_of(question(0)));
    store.publish(run, best_of(settings_of(0)));
    store.finish(run, cache::RunState::done);
  }
  {
    cache::Database database(file);
    database.trust();
    add_copies(database, entries);
  }
  const cache::Store store = cache::Store::open(file);  // writes the snapshot
  for (const std::string& warning : store.warnings()) throw IoError(warning);
}

SqliteLookup::SqliteLookup(const std::filesystem::path& store) {
  sqlite3* database = nullptr;
  const int opened = sqlite3_open_v2(store.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  database_.reset(database);
  sqlite3_stmt* statement = nullptr;
  if (opened != SQLITE_OK ||
      sqlite3_prepare_v2(database,
                         "SELECT config.fields FROM best JOIN run ON run.id = best.run"
                         " JOIN config ON config.key = best.config"
                         " WHERE run.family = ? AND run.space = ? AND run.problem = ?"
                         " AND run.device_class = ? AND run.toolchain = ?"
                         " ORDER BY best.generation DESC LIMIT 1",
                         -1, &statement, nullptr) != SQLITE_OK) {
    throw IoError(fmt::format("{}: {}", store.string(), sqlite3_errmsg(database)));
  }
  statement_.reset(statement);
}

std::string SqliteLookup::find(const Asked& asked) {
  const std::array keys{std::string("reduce"), runtime::space_key(kernels::find_family("reduce")),
                        cache::key_of(asked.problem).hash,
                        cache::key_of(asked.device.device_class).hash,
                        cache::key_of(asked.device.toolchain).hash};
  int index = 0;
  for (const std::string& key : keys) {
    sqlite3_bind_text(statement_.get(), ++index, key.c_str(), -1, SQLITE_STATIC);
  }
  std::string found;
  if (sqlite3_step(statement_.get()) == SQLITE_ROW) {
    found = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), 0));
  }
  sqlite3_reset(statement_.get());
  return found;
}

}  // namespace redtune::bench
