#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# Builds redtune with the HIP of Debian sid (6.4 or later) in a chroot, and compiles and inspects the kernels
# for the GPUs that the HIP of Debian 12 does not know. The chroot is kept in the cache folder. ./dev rocm6
# calls this with the packages that redtune is built with.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${XDG_CACHE_HOME:-$HOME/.cache}/redtune/debian-sid
packages=("$@" libamdhip64-dev libamd-comgr-dev libhiprtc-builtins6 llvm)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
skip() {
  echo "skipped: $*" >&2
  exit 0
}
fail() {
  echo "error: $*" >&2
  exit 1
}

# The Debian mirror that this machine's own packages come from, or REDTUNE_DEBIAN_MIRROR.
mirror() {
  [ -z "${REDTUNE_DEBIAN_MIRROR:-}" ] || { echo "$REDTUNE_DEBIAN_MIRROR"; return; }
  apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 == "main" && $3 !~ /-/ { print $4; exit }'
}

# Runs a command in the chroot, with a /proc and /dev that vanish with it.
inside() {
  "${root[@]}" unshare --mount bash -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "${@}"' "$folder" "$@"
}

# A folder that a broken download left behind is made anew.
make_chroot() {
  [ -f "$folder/complete" ] && return
  local from
  from=$(mirror)
  [ -n "$from" ] || skip "no Debian mirror in this machine's apt sources; name one in REDTUNE_DEBIAN_MIRROR"
  say "making $folder from $from (about 1.5 GB)"
  "${root[@]}" rm -rf "$folder"
  mkdir -p "$folder"
  "${root[@]}" debootstrap --variant=minbase sid "$folder" "$from" >"$folder.log" 2>&1 ||
    skip "debootstrap failed: $(tail -n 1 "$folder.log") (see $folder.log)"
  # A snapshot's lists may be older than they allow.
  local old=(-o Acquire::Check-Valid-Until=false)
  inside apt-get -qq "${old[@]}" update
  inside env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq "${old[@]}" install -y --no-install-recommends "${packages[@]}" >>"$folder.log" 2>&1 ||
    fail "packages could not be installed: $(tail -n 1 "$folder.log") (see $folder.log)"
  "${root[@]}" touch "$folder/complete"
}

# Tracked files and new ones, with their times, so that only what changed is built.
copy_tree() {
  "${root[@]}" rm -rf "$folder/src"
  "${root[@]}" mkdir -p "$folder/src" "$folder/build"
  git ls-files -z --cached --others --exclude-standard |
    xargs -0 sh -c 'for file; do [ -e "$file" ] && printf "%s\0" "$file"; done' sh |
    tar --null -T - -c | "${root[@]}" tar -x -C "$folder/src"
}

root=()
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null || skip "a chroot needs root, or sudo without a password"
  root=(sudo)
fi
for program in debootstrap unshare; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || skip "$program is not installed"
done
"${root[@]}" unshare --mount true 2>/dev/null || skip "this machine allows no mounts of one's own"

make_chroot
copy_tree
say "building with $(inside sh -c "dpkg-query -W -f '\${Package} \${Version}' libamdhip64-dev")"
[ -f "$folder/build/build.ninja" ] ||
  inside cmake -S /src -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DREDTUNE_BUILD_BENCH=OFF >/dev/null
inside cmake --build /build --target redtune_cli redtune_hip hip_test hip_kernels_test compile_matrix
say "testing"
# Kernels of the GPUs that the HIP of Debian 12 knows are compiled by the tests outside.
inside ctest --test-dir /build --no-tests=error --output-on-failure -j "$(nproc)" \
  -R 'Hip|CodeObject' -E 'AskedFor/gfx(90|10)'
