#!/usr/bin/env bash
# Installs the dbts that the tests build with into .venvs, which git ignores:
#   dbt-1    dbt Core v1, the newest that pip can resolve
#   dbt-1.8  and dbt-1.9, for the YAML of older projects
#   dbt-2    dbt v2
# What is there already is left alone; delete a folder to install it anew.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/python-packages.sh

venv() { # name, then the packages
  local name=$1
  shift
  [ -x "$venvs/$name/bin/dbt" ] || python_packages "$name" "$@"
}

# Since 1.12, dbt Core v1 needs a parser that is downloaded while it is installed, and not from PyPI.
venv dbt-1 'dbt-core>=1.11,<1.12' 'dbt-duckdb>=1.10' 'dbt-postgres>=1.10' & all=$!
venv dbt-1.8 'dbt-core>=1.8,<1.9' 'dbt-duckdb>=1.8,<1.9' & all+=" $!"
venv dbt-1.9 'dbt-core>=1.9,<1.10' 'dbt-duckdb>=1.9,<1.10' & all+=" $!"
for one in $all; do wait "$one"; done

# dbt 2 is a program that its package downloads from dbt's own server. Where that cannot be reached, the last
# release whose wheel holds the program will do, with drivers from npm and PyPI in the places it looks in.
if [ ! -x "$venvs/dbt-2/bin/dbt" ]; then
  if python3 -c "import socket; socket.gethostbyname('public.cdn.getdbt.com')" 2>/dev/null; then
    venv dbt-2 'dbt>=2,<3'
  else
    venv dbt-2 --only-binary :all: --no-deps 'dbt-core==2.0.0a4'
    python_packages dbt-2 --no-deps 'adbc-driver-postgresql==1.13.0'
    case $(uname -m) in
      aarch64) machine=aarch64 bindings=arm64 ;;
      *) machine=x86_64 bindings=x64 ;;
    esac
    cp node_modules/.pnpm/@duckdb+node-bindings-linux-$bindings@*/node_modules/@duckdb/*/libduckdb.so "$venvs/dbt-2/lib/"
    cache=$venvs/dbt-2/cache/com.getdbt/adbc/$machine-manylinux_2_17-linux-gnu
    mkdir -p "$cache"
    cp "$venvs"/dbt-2/lib/python3*/site-packages/adbc_driver_postgresql/libadbc_driver_postgresql.so \
      "$cache/libadbc_driver_postgresql-0.21.0+dbt0.21.0.so"
  fi
fi
