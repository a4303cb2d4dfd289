//! Replacement of fitted constants in the engine's source code.

use anyhow::{Result, ensure};
use regex::Regex;

/// Returns `source` with the constant `name` set to the expression `value`.
///
/// # Errors
/// If there is not exactly one such constant.
pub fn replace(source: &str, name: &str, value: &str) -> Result<String> {
    // The length of an array may hold a semicolon.
    let pattern = Regex::new(&format!(r"(?s)((?-u:\b)const {name}: [^=]*= )[^;]*(?:; HALF[^;]*)*;\n"))?;
    ensure!(pattern.find_iter(source).count() == 1, "the source has no single constant {name}");
    Ok(pattern.replace(source, format!("${{1}}{value};\n")).into_owned())
}
