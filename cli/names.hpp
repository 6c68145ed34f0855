// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The program speaks of what the tuner knows by the tuner's own names.
#pragma once

#include "tuner/text/measured_json.hpp"

namespace redtune::cli {

using namespace tuner;
using tuner::json_of;  // the program's own overloads would hide them

}  // namespace redtune::cli
