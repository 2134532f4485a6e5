#!/usr/bin/env bash
# Lets Python packages that drive xiangqi engines drive this one, in a throw-away environment.
#
# Usage: tests/clients/python_clients.sh ENGINE
# Exit status 0 when all work, or when the packages cannot be installed (which is said); 1 otherwise.

set -euo pipefail
if [[ $# -ne 1 || ! -x $1 ]]; then
    echo "usage: $0 ENGINE" >&2
    exit 2
fi
engine=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d /tmp/clients.XXXXXX)
trap 'rm -rf "$work"' EXIT

skip() {
    echo "clients in Python: skipped, $1"
    exit 0
}
timeout 120 python3 -m venv "$work/venv" >"$work/log" 2>&1 || skip "no virtual environment can be made"
timeout 300 "$work/venv/bin/pip" install --quiet --no-cache-dir --retries 1 --timeout 20 \
    -r "$here/requirements.txt" >"$work/log" 2>&1 || skip "the packages cannot be installed"
# The engine stands alone in its directory, as clients start it there and look for files beside it.
mkdir "$work/engine"
cp "$engine" "$work/engine/chuhe"
cd "$work"
timeout --kill-after=10 300 "$work/venv/bin/python" "$here/python_clients.py" "$work/engine/chuhe"
