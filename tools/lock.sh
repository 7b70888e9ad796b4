#!/bin/sh
# Resolves pyproject.toml into requirements.lock, for Python 3.11 and 3.12, with hashes and without host names.
set -eu
venv=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$venv/bin/python" -m venv "$work/uv"
"$work/uv/bin/python" -m pip --disable-pip-version-check -q install uv
"$work/uv/bin/uv" pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
    --no-annotate -q --extra dev --extra detector pyproject.toml -o requirements.lock
# What only the soak needs, where there is a wheel of it.
echo "atheris==3.0.0 ; sys_platform == 'linux' and platform_machine == 'x86_64'" > "$work/soak.in"
"$work/uv/bin/uv" pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
    --no-annotate -q "$work/soak.in" -o tools/soak.lock
# What only learning weights needs.
echo "scikit-learn==1.9.0" > "$work/weigh.in"
"$work/uv/bin/uv" pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
    --no-annotate -q -c requirements.lock "$work/weigh.in" -o tools/weigh.lock
if grep -nE '(https?|file)://|@ ' requirements.lock tools/soak.lock tools/weigh.lock; then
    echo 'lock: a host name got into a lock' >&2
    exit 1
fi
