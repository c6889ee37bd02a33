#!/usr/bin/env bash
# Installs the engines that tests run generated SQL on, and that no server gives, into .venvs, which git ignores:
#   chdb       ClickHouse in a process (546 MB, which is why it is no dependency)
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
venvs=$PWD/.venvs
mkdir -p "$venvs"

if [ ! -e "$venvs/chdb/done" ]; then
  mkdir -p "$venvs/chdb"
  npm install --silent --no-audit --no-fund --prefix "$venvs/chdb" chdb@3.4.0
  touch "$venvs/chdb/done"
fi

if [ ! -e "$venvs/fakesnow/done" ]; then
  python3 -m venv "$venvs/fakesnow"
  # Version 5 of the connector lacks a module that fakesnow imports.
  "$venvs/fakesnow/bin/pip" install --quiet --disable-pip-version-check \
    'fakesnow==0.12.1' 'snowflake-connector-python<5' 'sqlglot==30.22.0' 'duckdb<3'
  touch "$venvs/fakesnow/done"
fi

if [ ! -e "$venvs/openlineage/done" ]; then
  python3 -m venv "$venvs/openlineage"
  "$venvs/openlineage/bin/pip" install --quiet --disable-pip-version-check 'openlineage-python==1.54.0'
  touch "$venvs/openlineage/done"
fi

if [ ! -e "$venvs/moto/done" ]; then
  python3 -m venv "$venvs/moto"
  # Without the extra "server", whose other services would double it.
  "$venvs/moto/bin/pip" install --quiet --disable-pip-version-check 'moto[glue]==5.2.5' 'flask==3.*' 'flask-cors==6.*'
  touch "$venvs/moto/done"
fi

if [ ! -e "$venvs/bqemulator/done" ]; then
  python3 -m venv "$venvs/bqemulator"
  "$venvs/bqemulator/bin/pip" install --quiet --disable-pip-version-check 'bqemulator==1.4.0' numpy
  touch "$venvs/bqemulator/done"
fi

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

if [ ! -e "$venvs/python-client/done" ]; then
  python3 -m venv "$venvs/python-client"
  "$venvs/python-client/bin/pip" install --quiet --disable-pip-version-check \
    --requirement clients/python/build-requirements.txt
  touch "$venvs/python-client/done"
fi

if [ ! -x "${STAGECRAFT_TEST_BROWSER:-/usr/bin/chromium}" ] && command -v apt-get >/dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi
