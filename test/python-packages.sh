# To be sourced in the folder of the repository: environments of Python in .venvs, which git ignores. One pip serves all of
# them, and compiles nothing ahead: that takes half of the time, and most modules are never imported.
venvs=$PWD/.venvs
mkdir -p "$venvs"

python_packages() { # name of the environment, then what pip installs
  local name=$1
  shift
  [ -x "$venvs/$name/bin/python" ] || python3 -m venv --without-pip "$venvs/$name"
  "$venvs/pip/bin/pip" --python "$venvs/$name/bin/python" install \
    --quiet --disable-pip-version-check --no-compile "$@"
}

[ -x "$venvs/pip/bin/pip" ] || python3 -m venv "$venvs/pip"
