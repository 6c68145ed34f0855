// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune fleet key: a pair of keys, to sign what others are to believe.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "fleet/signing.hpp"
#include "redtune/error.hpp"

namespace redtune::cli {

int run_fleet_key(const Options& options) {
  if (options.words().empty()) throw UsageError("name the file for the secret key");
  const std::string file = options.words()[0];
  const std::string key = fleet::make_key_files(file);
  if (options.has("json")) {
    print_json({{"secret", file}, {"public", file + ".pub"}, {"key", key}});
    return 0;
  }
  say("{}: the secret key; sign with it: redtune cache export --sign {} --out FILE\n"
      "{}.pub: the public key; machines that are to believe it have it in {}\n",
      file, file, file, fleet::AllowedKeys::usual_folder);
  return 0;
}

}  // namespace redtune::cli
