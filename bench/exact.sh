#!/usr/bin/env bash
# What traces of random programs say against what the machine does (EXACT_PROGRAMS, 500).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
# The bitcode of programs that nobody will ask for again.
PARALLAX_STORE=$(mktemp -d)
export PARALLAX_STORE
trap 'rm -rf "$PARALLAX_STORE"' EXIT
cargo run --release --quiet --package parallax --example exact -- "${EXACT_PROGRAMS:-500}"
