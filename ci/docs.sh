#!/usr/bin/env bash
# Checks the manual and builds it: docs.sh
# Runs its examples, those with the tools too, and builds both books into target/book with mdBook.
#
# docs.sh options: writes the table of options of the program into the pages that show it.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

readonly BOOK=target/book

# In place of the old table, whose first line names both protocols.
write_options() {
    local language page table
    for language in en zh; do
        page=docs/$language/src/options.md
        table=$(mktemp)
        cargo run --locked --quiet -p chuhe -- options --markdown "$language" >"$table"
        awk -v table="$table" '
            /^\| UCCI \| UCI \|/ { while ((getline line < table) > 0) print line; is_old = 1 }
            !/^\|/ { is_old = 0 }
            !is_old' "$page" >"$page.new"
        mv "$page.new" "$page"
        rm "$table"
    done
}

if [ "${1:-}" = options ]; then
    write_options
    exit
fi

ci/build.sh
CHUHE_DOCS_TOOLS=1 cargo test --locked -p chuhe --test docs --test readme

if ! command -v mdbook >/dev/null 2>&1; then
    echo "docs.sh: the pages are right, but mdbook, which builds the book, is missing: run ci/install.sh" >&2
    exit 77
fi
rm -rf "$BOOK"
mdbook build docs/en
mdbook build docs/zh
mkdir -p "$BOOK/docs"
cp -R docs/pictures "$BOOK/docs/"
# Pictures elsewhere in the repository, at the same place in the book.
grep -oh '](\.\./\.\./\.\./[^)]*)' docs/*/src/*.md | sed 's/^](//; s/)$//; s#^\.\./\.\./\.\./##' | sort -u | while read -r picture; do
    mkdir -p "$BOOK/$(dirname "$picture")"
    cp "$picture" "$BOOK/$picture"
done
echo "the manual is $BOOK/docs/en/src/index.html and $BOOK/docs/zh/src/index.html"
