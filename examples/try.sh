#!/usr/bin/env bash
# The main job once through: tune, look up, reduce real numbers. Usage: try.sh PATH_TO_REDTUNE
set -euo pipefail
redtune=$1
show() {
  printf '\n$ redtune %s\n' "$*"
  "$redtune" "$@"
}
numbers=$(mktemp "${TMPDIR:-/tmp}/redtune-numbers-XXXXXX")
trap 'rm -f "$numbers"' EXIT

show devices
show tune --op sum --type f32 --count 2^24
show query --op sum --type f32 --count 2^24
# A file of numbers: four million floats of value 1.5 as raw little-endian binary.
head -c 16000000 /dev/zero | LC_ALL=C sed 's/\x00\x00\x00\x00/\x00\x00\xc0\x3f/g' >"$numbers"
show reduce --op sum --type f32 "$numbers"
show reduce --op sum --type f32 --count 2^24
