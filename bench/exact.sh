#!/usr/bin/env bash
# Traces of random programs against the machine (EXACT_PROGRAMS, 500).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
# The bitcode of programs that are not used again.
PARALLAX_STORE=$(mktemp -d)
export PARALLAX_STORE
trap 'rm -rf "$PARALLAX_STORE"' EXIT
cargo run --release --quiet --package parallax --example exact -- "${EXACT_PROGRAMS:-500}"
