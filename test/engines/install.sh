#!/usr/bin/env bash
# Installs the engines that tests run generated SQL on, and that no server gives, into .venvs, which git ignores:
#   chdb       ClickHouse in a process (546 MB, which is why it is no dependency)
#   mssql      the driver of SQL Server (75 MB), run against a server of its protocol
#   fakesnow   Snowflake, emulated on DuckDB, and sqlglot, a second parser
#   moto       Glue of AWS, emulated
#   bqemulator BigQuery, emulated on DuckDB
#   clickhouse-server  ClickHouse of Debian, from 2018, for what only a server has; unpacked, because its package would start it
#   python-client  the generator of the Python client, and what it needs
#   openlineage  the client of OpenLineage, which reads what lineage writes
# and the browser that pages are tested in, from Debian, where there is none.
# What is there already is left alone; delete a folder to install it anew.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/python-packages.sh

venv() { # name, then the packages
  local name=$1
  shift
  [ -e "$venvs/$name/done" ] && return 0
  python_packages "$name" "$@"
  touch "$venvs/$name/done"
}

npm_package() { # name, then its version
  [ -e "$venvs/$1/done" ] && return 0
  mkdir -p "$venvs/$1"
  npm install --silent --no-audit --no-fund --prefix "$venvs/$1" "$1@$2"
  touch "$venvs/$1/done"
}

npm_package chdb 3.4.0
npm_package mssql 12.7.14

# Version 5 of the connector lacks a module that fakesnow imports.
venv fakesnow 'fakesnow==0.12.1' 'snowflake-connector-python<5' 'sqlglot==30.22.0' 'duckdb<3' & all=$!
venv bqemulator 'bqemulator==1.4.0' numpy & all+=" $!"
for one in $all; do wait "$one"; done
venv openlineage 'openlineage-python==1.54.0' & all=$!
# Without the extra "server", whose other services would double it.
venv moto 'moto[glue]==5.2.5' 'flask==3.*' 'flask-cors==6.*' & all+=" $!"
venv python-client pip --requirement clients/python/build-requirements.txt & all+=" $!"
for one in $all; do wait "$one"; done

if [ ! -e "$venvs/clickhouse-server/done" ] && command -v apt-get >/dev/null; then
  mkdir -p "$venvs/clickhouse-server"
  apt-cache show clickhouse-server >/dev/null 2>&1 || apt-get update -qq # only this needs root
  (
    cd "$venvs/clickhouse-server"
    apt-get install --simulate --no-install-recommends clickhouse-server |
      sed -n 's/^Inst \([^ ]*\).*/\1/p' | xargs apt-get download -qq 2>/dev/null
    for package in *.deb; do dpkg -x "$package" . && rm "$package"; done
    touch done
  )
fi

if [ ! -x "${STAGECRAFT_TEST_BROWSER:-/usr/bin/chromium}" ] && command -v apt-get >/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi
