#!/bin/sh
# Resolves pyproject.toml into requirements.lock, for Python 3.11 and 3.12, with hashes and without host names.
set -eu
venv=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$venv/bin/python" -m venv "$work/uv"
"$work/uv/bin/python" -m pip --disable-pip-version-check -q install uv
"$work/uv/bin/uv" pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
    --no-annotate -q --extra dev pyproject.toml -o requirements.lock
if grep -nE '(https?|file)://|@ ' requirements.lock; then
    echo 'lock: a host name got into requirements.lock' >&2
    exit 1
fi
