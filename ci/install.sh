#!/usr/bin/env bash
# Installs whatever is missing on a bare machine to build and check the engine: a C linker, Rust, rustfmt, clippy and mdBook.
# Does nothing if everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }
fail() { echo "install.sh: $*" >&2; exit 1; }

PATH=$PATH:${HOME:-/root}/.cargo/bin
mdbook=0.5.4
needed=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)

if ! have cc; then
    have apt-get || fail "there is no C compiler (cc), which Rust needs to link: install gcc or clang"
    echo "installing gcc"
    as_root=""
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -q
    $as_root apt-get install -q -y --no-install-recommends gcc libc6-dev
fi

if ! have cargo; then
    have curl || fail "there is no cargo, and no curl to fetch it: install Rust $needed from https://rustup.rs"
    echo "installing Rust from https://rustup.rs"
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --no-modify-path --profile minimal
fi

found=$(rustc --version | cut -d' ' -f2)
if [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
    have rustup || fail "Rust $found is too old, $needed is needed"
    echo "Rust $found is older than $needed"
    rustup update --no-self-update stable
    rustup default stable
fi

for component in rustfmt clippy; do
    tool=$component
    [ "$tool" = clippy ] && tool=cargo-clippy
    if ! "$tool" --version >/dev/null 2>&1; then
        have rustup || fail "$component is missing: install it as your Rust was installed"
        echo "installing $component"
        rustup component add "$component" || fail "$component is missing and rustup cannot add it"
    fi
done
# Only the manual needs it, so that a machine without the registry can do everything else.
if ! have mdbook; then
    echo "installing mdbook, which takes a minute"
    cargo install --locked --quiet --debug --no-default-features --version "$mdbook" mdbook ||
        echo "install.sh: mdbook cannot be installed, the manual will be checked and not built" >&2
fi
echo "everything is there: $(rustc --version), $(cc --version | head -n 1)"
