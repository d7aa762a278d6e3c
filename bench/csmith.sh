#!/usr/bin/env bash
# Programs by Csmith, traced and native, also with all variables symbolic (CSMITH_PROGRAMS, 2000).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
require csmith libcsmith-dev
# The bitcode of programs that are not used again.
PARALLAX_STORE=$(mktemp -d)
export PARALLAX_STORE
trap 'rm -rf "$PARALLAX_STORE"' EXIT
cargo run --release --quiet --package parallax --example csmith -- "${CSMITH_PROGRAMS:-2000}"
