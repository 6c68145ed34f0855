#!/usr/bin/env bash
# The main job once through: tune, look up, reduce real numbers, and tune a kernel of one's own.
# Usage: try.sh PATH_TO_REDTUNE
set -euo pipefail
redtune=$1
show() {
  printf '\n$ redtune %s\n' "$*"
  "$redtune" "$@"
}
numbers=$(mktemp "${TMPDIR:-/tmp}/redtune-numbers-XXXXXX")
kernel=$(dirname "$0")/own_kernels/tree_sum.hip.cpp
trap 'rm -f "$numbers" "$numbers.more"' EXIT

show devices
show tune --op sum --type f32 --count 2^24
show query --op sum --type f32 --count 2^24
# A file of numbers: 2^24 floats of value 1.5 as raw little-endian binary, 64 MiB.
printf '\x00\x00\xc0\x3f%.0s' {1..4096} >"$numbers"
for _ in {1..6}; do
  cat "$numbers" "$numbers" "$numbers" "$numbers" >"$numbers.more"
  mv "$numbers.more" "$numbers"
done
show reduce --op sum --type f32 "$numbers"
show reduce --op sum --type f32 --count 2^24
show tune "$kernel" --size n=100000
show query "$kernel" --size n=100000
