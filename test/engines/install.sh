#!/usr/bin/env bash
# Installs the engines that tests run generated SQL on, and that no server gives, into .venvs, which git ignores:
#   chdb       ClickHouse in a process (546 MB, which is why it is no dependency)
#   fakesnow   Snowflake, emulated on DuckDB, and sqlglot, a second parser
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
