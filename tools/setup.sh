#!/bin/sh
# Makes the virtual environment from requirements.lock: looks for what is needed first and says how to get it.
set -eu
venv=$1

fail() { printf 'setup: %s\n' "$1" >&2; exit 1; }

python=
for candidate in ${PYTHON:-} python3.12 python3.11 python3 python; do
    if command -v "$candidate" >/dev/null 2>&1 &&
        "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || fail "Python 3.11 or 3.12 is needed and none was found. Install one (Debian: apt-get install python3 python3-venv python3-dev), or name it: PYTHON=/path/to/python3.11 make run"
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "$python has no venv module. Debian: apt-get install python3-venv"
command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || command -v clang >/dev/null 2>&1 ||
    fail "a C compiler is needed (for the automaton of the matcher, and for durable-rules, which has no wheel). Debian: apt-get install build-essential"
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
[ -f "$include/Python.h" ] ||
    fail "the headers of $python are missing ($include/Python.h). Debian: apt-get install python3-dev"

printf 'setup: virtual environment in %s with %s\n' "$venv" "$("$python" --version)"
if ! [ -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi

build=$(mktemp)
trap 'rm -f "$build"' EXIT
# The build back end comes from the same lock as all else, and before it: nothing is fetched unpinned.
awk '/^setuptools==/{p=1} p{print} p&&!/\\$/{exit}' requirements.lock > "$build"
# Older releases of pip warn of changes in newer ones, which are none of the reader's business; errors are still said.
pip="$venv/bin/python -W ignore -m pip --disable-pip-version-check -q"
$pip install --require-hashes --only-binary :all: -r "$build"
printf 'setup: installing the locked packages (a minute the first time)\n'
$pip install --require-hashes --only-binary :all: --no-binary durable-rules --no-build-isolation -r requirements.lock
$pip install --no-deps --no-build-isolation -e .
printf 'setup: done\n'
