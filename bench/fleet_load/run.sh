#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the redtune authors

# fleet_load against a PostgreSQL server of its own, on a socket in a folder that is gone afterwards:
#   bench/fleet_load/run.sh build/bench/bin/fleet_load [OPTION...]
# The server has its usual settings; it refuses to run as root, and runs as postgres then.
set -eu
program=$(readlink -f "$1")
shift
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || { echo "fleet_load: there is no PostgreSQL server here: apt-get install postgresql" >&2; exit 2; }
folder=$(mktemp -d)
as() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then
  chown postgres "$folder"
  as() { runuser -u postgres -- "$@"; }
fi
end() {
  as "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap end EXIT INT TERM
cd /
as "$bin/initdb" -D "$folder/data" -A trust -U owner --locale=C.UTF-8 >/dev/null
as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" \
  -o "-c listen_addresses='' -c unix_socket_directories='$folder'" start >/dev/null
as "$bin/createdb" -h "$folder" -U owner fleet
"$program" "postgresql://owner@$(echo "$folder" | sed 's,/,%2F,g')/fleet" "$@"
