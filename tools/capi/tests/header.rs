//! The header is the one that cbindgen makes from the source.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_that_of_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    // Its modules are read with it.
    let parsed = cbindgen::Builder::new().with_src(folder.join("src/lib.rs"));
    let mut made = Vec::new();
    parsed.with_config(config).generate().unwrap().write(&mut made);
    let path = folder.join("include/chuhe.h");
    if std::env::var_os("CHUHE_WRITE_HEADER").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let made = String::from_utf8(made).unwrap();
    assert!(
        fs::read_to_string(path).unwrap_or_default() == made,
        "write it anew: CHUHE_WRITE_HEADER=1 cargo test -p chuhe-capi --test header"
    );
}
