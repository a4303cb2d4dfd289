//! Says which network becomes part of the program: the file that EVALFILE names, as OpenBench does, or our own.

use std::env;
use std::path::{Path, absolute};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let own = Path::new("src/eval/nnue/embedded.nnue");
    let named = env::var_os("EVALFILE").filter(|name| !name.is_empty());
    let file = named.as_deref().map_or(own, Path::new);
    let file = absolute(file).unwrap_or_else(|error| panic!("EVALFILE {}: {error}", file.display()));
    assert!(file.is_file(), "EVALFILE {}: there is no such file", file.display());
    println!("cargo::rustc-env=CHUHE_NETWORK={}", file.display());
}
