// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <boost/version.hpp>
#include <fmt/format.h>
#include <sys/utsname.h>

#include "cache/files/paths.hpp"
#include "cache/store/storage.hpp"
#include "cli/doctor/examine.hpp"
#include "cli/names.hpp"
#include "device/platform.hpp"
#include "fleet/connection.hpp"
#include "redtune/version.hpp"
#include "tuner/measure/protocol.hpp"

namespace redtune::cli {

Section examine_versions() {
  utsname system{};
  uname(&system);
  const std::string boost = fmt::format("{}.{}.{}", BOOST_VERSION / 100'000,
                                        BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
  return {.name = "versions",
          .topics = {{.name = "",
                      .facts = {{.name = "redtune", .value = version},
                                {.name = "measurement protocol", .value = protocol_version},
                                {.name = "results schema", .value = cache::schema_major},
                                {.name = "module interface", .value = device::module_abi},
                                {.name = "SQLite", .value = cache::sqlite_version()},
                                {.name = "libpq", .value = fleet::client_version()},
                                {.name = "Boost", .value = boost},
                                {.name = "built by", .value = "C++ compiler " __VERSION__},
                                {.name = "system",
                                 .value = fmt::format("{} {} {}", system.sysname, system.release,
                                                      system.machine)}}}}};
}

}  // namespace redtune::cli
