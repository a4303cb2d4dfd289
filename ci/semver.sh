#!/usr/bin/env bash
# Compares the public items of the libraries with those of an earlier revision: fails if a user's program would no longer build
# although the version number allows no such change.
#
# usage: semver.sh [REVISION]     default: the newest tag v*
#
# Exits with 77 without cargo-semver-checks, or if there is neither a revision nor a tag.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo semver-checks --version >/dev/null 2>&1 || {
    echo "semver.sh: cargo-semver-checks is missing: cargo install --locked cargo-semver-checks" >&2
    exit 77
}
revision=${1-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
[ -n "$revision" ] || { echo "semver.sh: there is no tag v* yet: name a revision" >&2; exit 77; }
cargo semver-checks --baseline-rev "$revision" -p chuhe -p chuhe-games --default-features
