#!/usr/bin/env python3
"""Builds what is given to users, and packs it with a list of what is in it:

    dist.py [TARGET]        this machine's target, or another one that Rust and a linker are there for

What comes out is target/dist/chuhe-VERSION-TARGET and the same as an archive: the engine, its manuals in both languages, man pages,
completions of shells, CONTENTS.md with the crates, the network, the book and the tables that are in it, and the licences of all. The same commit gives the same bytes by the same Rust
and linker, in whatever folder it lies (ci/reproduce.sh). The engine is for every processor of its kind: it picks its instructions
when it starts, and every set that this machine has must find the same nodes before anything is packed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "chuhe"
# Files and folders that are shipped under the names that they have here, so that the links among them hold.
PAGES = [
    "README.md",
    "README.zh-CN.md",
    "GUIS.md",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs/en/src",
    "docs/zh/src",
    "docs/pictures",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "tools/trainer/ladder.svg",
]
# Where each shell looks for completions of a program.
COMPLETIONS = {"bash": "chuhe", "zsh": "_chuhe", "fish": "chuhe.fish", "powershell": "chuhe.ps1", "elvish": "chuhe.elv"}
# What crates call the texts of their licences.
LICENCES = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)
# In plies: every set of instructions searches so deep.
DEPTH = "7"
# No file of an archive is older than its format can say, which for ZIP is 1980.
BIRTH = (1980, 1, 1, 0, 0, 0)
# Where a target is foreign: who links it and who runs it.
FOREIGN = {"aarch64-unknown-linux-gnu": ("aarch64-linux-gnu-gcc", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"])}


def said(*command, **more):
    # The program's own help is in English, whoever packs it.
    environment = {**more.pop("env", os.environ), "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", env=environment, **more).stdout


def rust():
    """Version, commit and host of the compiler, and the folder where it lives."""
    told = dict(re.findall(r"^([a-z-]+): (.*)$", said("rustc", "-vV"), re.MULTILINE))
    return told, Path(said("rustc", "--print", "sysroot").strip())


def flags(target, told, sysroot):
    """No path of this machine gets into the program, and no time."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    # The sources of the standard library, where they are installed, are called as everywhere else.
    library = sysroot / "lib/rustlib/src/rust"
    places = {ROOT: "/chuhe", home: "/cargo", library: "/rustc/" + told["commit-hash"]}
    chosen = [f"--remap-path-prefix={place}={name}" for place, name in places.items()]
    if target.endswith("-windows-msvc"):
        # No date in the header, and no runtime that users would have to install.
        chosen += ["-Clink-arg=/Brepro", "-Ctarget-feature=+crt-static"]
    elif target.endswith("-windows-gnu"):
        chosen += ["-Clink-arg=-Wl,--no-insert-timestamp"]
    return chosen


def build(target, told, sysroot):
    environment = {**os.environ, "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags(target, told, sysroot))}
    # Another network than our own is nothing to be shipped.
    environment.pop("EVALFILE", None)
    runner = []
    if target in FOREIGN and target != told["host"]:
        linker, runner = FOREIGN[target]
        for program in [linker, runner[0]]:
            if not shutil.which(program):
                print(f"dist.py: {program} is not installed, skipped", file=sys.stderr)
                sys.exit(77)
        environment[f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER"] = linker
    command = ["cargo", "build", "--locked", "--profile", "dist", "--package", PACKAGE, "--target", target]
    told_by_cargo = said(*command, "--message-format", "json-render-diagnostics", env=environment)
    messages = (json.loads(line) for line in told_by_cargo.splitlines())
    [program] = {found["executable"] for found in messages if found.get("executable")}
    return Path(program), runner


def check(program, runner):
    """What the program says of itself, once all its instructions have found the same nodes."""
    contents = said(*runner, program, "contents")
    kernels = re.search(r"; here by (.*)", contents)[1].split(", ")
    benches = [said(*runner, program, "--cpu", kernel, "bench", DEPTH) for kernel in kernels]
    nodes = {re.search(r"^(\d+) nodes \d+ nps$", bench, re.MULTILINE)[1] for bench in benches}
    if len(nodes) != 1:
        sys.exit(f"dist.py: {', '.join(kernels)} do not find the same nodes but {nodes}")
    print(f"dist.py: {nodes.pop()} nodes at depth {DEPTH} by {', '.join(kernels)}")
    # On which machine it was packed is nothing that is in it.
    return re.sub(r"; here by .*", "", contents)


def crates(target):
    """Every crate that is linked into the program: name, version, licence, checksum, the folder of its sources, and its authors."""
    command = ["cargo", "tree", "--locked", "-p", PACKAGE, "--target", target, "-e", "normal,no-proc-macro"]
    lines = said(*command, "--prefix", "none", "--no-dedupe", "-f", "{p}").splitlines()
    linked = {tuple(line.split()[:2]) for line in lines}
    metadata = json.loads(said("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target))
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    found = []
    for package in metadata["packages"]:
        name, version = package["name"], package["version"]
        if (name, f"v{version}") not in linked or name == PACKAGE:
            continue
        entry = re.search(rf'name = "{name}"\nversion = "{re.escape(version)}"\n.*\nchecksum = "(.*)"', lock)
        folder = Path(package["manifest_path"]).parent
        found.append((name, version, package["license"], entry[1], folder, package["authors"]))
    return sorted(found)


def list_of_contents(target, told, contents, linked):
    rows = "".join(f"| {name} | {version} | {licence} | `{sum}` |\n" for name, version, licence, sum, *_ in linked)
    return f"""# What is in this program

```text
{contents}```

The network comes from our own games, the book from our own analysis, the tables from our own solver: nothing in them is
anybody else's. The program itself is under MIT or Apache-2.0.

Built for {target} by rustc {told["release"]} ({told["commit-hash"]}), whose standard library is in it too: its licences are in
`COPYRIGHT-rust.html`. The crates, all from crates.io, with the SHA-256 of what was downloaded; the texts of their licences are in
`LICENCES.txt`:

| crate | version | licence | checksum |
|---|---|---|---|
{rows}"""


def text_of_mit(name, licence, authors):
    """What has to come with a crate that carries no text of its licence: its authors and the terms, which are everybody's."""
    if "MIT" not in re.split(r"[^A-Za-z0-9.-]+", licence):
        sys.exit(f"dist.py: {name} carries no text of its licence, {licence}, and none is at hand")
    ours = (ROOT / "LICENSE-MIT").read_text(encoding="utf-8")
    holder = f"Copyright (c) {', '.join(authors) or 'the authors of ' + name}"
    return f"This crate carries no text; by its manifest the terms are these.\n\n{re.sub('(?m)^Copyright .*$', lambda _: holder, ours)}"


def licences(linked):
    texts = []
    for name, version, licence, _, folder, authors in linked:
        files = sorted(file for file in folder.iterdir() if file.is_file() and LICENCES.match(file.name))
        texts.append(f"{'=' * 80}\n{name} {version}: {licence}\n{'=' * 80}\n")
        texts += [f"--- {file.name}\n{file.read_text(encoding='utf-8', errors='replace')}\n" for file in files]
        if not files:
            texts.append(text_of_mit(name, licence, authors))
    return "\n".join(texts)


def pack(folder, target):
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    named = [(file, f"{folder.name}/{file.relative_to(folder).as_posix()}") for file in files]
    if "windows" in target:
        archive = folder.with_name(folder.name + ".zip")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for file, name in named:
                out.writestr(zipfile.ZipInfo(name, BIRTH), file.read_bytes(), zipfile.ZIP_DEFLATED)
        return archive
    archive = folder.with_name(folder.name + ".tar.xz")
    with tarfile.open(archive, "w:xz") as out:
        for file, name in named:
            entry = tarfile.TarInfo(name)
            entry.size = file.stat().st_size
            entry.mode = 0o755 if file.name == PACKAGE else 0o644
            with file.open("rb") as bytes:
                out.addfile(entry, bytes)
    return archive


def ship(page, folder):
    source, place = ROOT / page, folder / page
    place.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, place)
    else:
        shutil.copy(source, place)


def write_pages_of_program(program, runner, folder):
    """The manual pages and completions, which the program writes itself."""
    tasks = re.findall(r"^  ([a-z]+) ", said(*runner, program, "--help").split("Commands:")[1].split("Options:")[0], re.MULTILINE)
    for name in ["", *(task for task in tasks if task != "help")]:
        page = folder / "man" / f"{'-'.join([PACKAGE, name]).strip('-')}.1"
        page.parent.mkdir(exist_ok=True)
        page.write_text(said(*runner, program, "man", *filter(None, [name])), encoding="utf-8", newline="\n")
    for shell, name in COMPLETIONS.items():
        page = folder / "completions" / name
        page.parent.mkdir(exist_ok=True)
        page.write_text(said(*runner, program, "completions", shell), encoding="utf-8", newline="\n")


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    told, sysroot = rust()
    target = (sys.argv[1:] or [told["host"]])[0]
    program, runner = build(target, told, sysroot)
    contents = check(program, runner)
    linked = crates(target)
    version = contents.split()[2]
    folder = ROOT / "target/dist" / f"{PACKAGE}-{version}-{target}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(program, folder)
    for page in PAGES:
        ship(page, folder)
    write_pages_of_program(program, runner, folder)
    shutil.copy(sysroot / "share/doc/rust/COPYRIGHT-library.html", folder / "COPYRIGHT-rust.html")
    texts = {"CONTENTS.md": list_of_contents(target, told, contents, linked), "LICENCES.txt": licences(linked)}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    archive = pack(folder, target)
    print(f"dist.py: {archive.relative_to(ROOT)}, {archive.stat().st_size} bytes, {len(linked)} crates in {program.name}")


main()
