// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache prove: what is here already from other machines is proved on this one.
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/prove.hpp"
#include "cli/say.hpp"

namespace redtune::cli {

int run_cache_prove(const Options& options) {
  cache::Store store = open_existing_store(options);
  Prover prover(options);
  prover.prove_present(store, options);
  show_warnings(store);
  if (options.has("json"))
    print_json({{"proof", prover.json()}});
  else
    say("{}\n", prover.text());
  return code_of(store);
}

}  // namespace redtune::cli
