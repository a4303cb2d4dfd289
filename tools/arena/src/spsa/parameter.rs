//! Tuned parameters: name, start value, range, and step sizes at the end.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use chuhe::file;
use chuhe_engines::player::{EngineSpec, announced_spins};
use serde::Serialize;

use crate::screen::printable;

/// Default perturbation at the end as a share of the range.
const C_END_SHARE: f64 = 0.05;
/// Default learning rate at the end, as in the tuners of fishtest and OpenBench.
const R_END: f64 = 0.002;

/// A tuned parameter.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// Name of the engine's option.
    pub name: String,
    /// Whether the engine receives whole numbers only.
    pub is_integer: bool,
    /// Start value.
    pub start: f64,
    /// Minimum value.
    pub min: f64,
    /// Maximum value.
    pub max: f64,
    /// Perturbation in the last iteration: the distance of both sides of a game from the current value.
    pub c_end: f64,
    /// Learning rate in the last iteration: the part of the perturbation that the value moves for a win.
    pub r_end: f64,
}

impl Parameter {
    /// Formats a value for the engine.
    pub fn text(&self, value: f64) -> String {
        if self.is_integer { format!("{}", value.round() as i64) } else { format!("{value:.6}") }
    }

    /// Parses `NAME, int|float, VALUE, MIN, MAX, C_END, R_END`, the usual form for OpenBench.
    fn read(line: &str) -> Result<Self> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = fields.as_slice() else { bail!("a parameter begins with a name and a kind") };
        let is_integer = match *kind {
            "int" => true,
            "float" => false,
            other => bail!("{other:?} is neither int nor float"),
        };
        let numbers = numbers.iter().map(|text| text.parse().with_context(|| format!("{text:?} is not a number")));
        let numbers = numbers.collect::<Result<Vec<f64>>>()?;
        let [start, min, max, c_end, r_end] = numbers[..] else {
            bail!("{} numbers instead of value, min, max, c_end, r_end", numbers.len())
        };
        Self { name: (*name).to_owned(), is_integer, start, min, max, c_end, r_end }.checked()
    }

    fn checked(self) -> Result<Self> {
        let Self { ref name, start, min, max, c_end, r_end, .. } = self;
        ensure!(!name.is_empty(), "it has no name");
        ensure!([start, min, max, c_end, r_end].iter().all(|number| number.is_finite()), "a number is not finite");
        ensure!(min < max && (min..=max).contains(&start), "{name}: {start} is not between {min} and {max}");
        ensure!(c_end > 0.0 && r_end > 0.0, "{name}: c_end and r_end are above 0");
        Ok(self)
    }
}

/// Reads a file with a parameter on each line; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// If the file cannot be read, a line is malformed, or a parameter is repeated, or there is none.
pub(super) fn read_file(path: &Path) -> Result<Vec<Parameter>> {
    let text = file::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    let parameters = lines
        .map(|(line, number)| Parameter::read(line).with_context(|| format!("{}, line {number}", path.display())))
        .collect::<Result<Vec<_>>>()?;
    distinct(parameters)
}

/// Returns the parameters with these names as the engine announces them; Chuhe does so with the feature `tune`.
///
/// # Errors
/// If the engine does not start, or does not announce one of them as a number.
pub(super) fn announced(engine: &EngineSpec, names: &[String]) -> Result<Vec<Parameter>> {
    let spins = announced_spins(engine)
        .map_err(|failure| anyhow::Error::msg(printable(&format!("engine {}: {failure}", engine.name))))?;
    let parameters = names.iter().map(|name| {
        let spin = spins.iter().find(|spin| spin.name.eq_ignore_ascii_case(name));
        let spin = spin.with_context(|| format!("engine {} announces no number called {name:?}", engine.name))?;
        let (min, max) = (spin.min as f64, spin.max as f64);
        let c_end = ((max - min) * C_END_SHARE).max(1.0);
        let name = spin.name.clone();
        Parameter { name, is_integer: true, start: spin.default as f64, min, max, c_end, r_end: R_END }.checked()
    });
    distinct(parameters.collect::<Result<Vec<_>>>()?)
}

fn distinct(parameters: Vec<Parameter>) -> Result<Vec<Parameter>> {
    ensure!(!parameters.is_empty(), "there is nothing to tune");
    for (at, parameter) in parameters.iter().enumerate() {
        let twice = parameters[..at].iter().any(|other| other.name.eq_ignore_ascii_case(&parameter.name));
        ensure!(!twice, "{} is there twice", parameter.name);
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_tuners_write_it() {
        let parameter = Parameter::read("futility_base, int, 260, 50, 600, 20, 0.002").unwrap();
        assert_eq!((parameter.name.as_str(), parameter.start, parameter.c_end), ("futility_base", 260.0, 20.0));
        assert_eq!((parameter.text(99.5).as_str(), parameter.text(-3.2).as_str()), ("100", "-3"));
        let share = Parameter::read("share,float,0.5,0,1,0.05,0.002").unwrap();
        assert_eq!(share.text(0.25), "0.250000");
    }

    #[test]
    fn faulty_lines_are_named() {
        for (line, fault) in [
            ("", "a name and a kind"),
            ("x, real, 1, 0, 2, 1, 1", "neither int nor float"),
            ("x, int, 1, 0, 2, 1", "4 numbers"),
            ("x, int, one, 0, 2, 1, 1", "not a number"),
            ("x, int, 3, 0, 2, 1, 1", "not between"),
            ("x, int, 1, 0, 2, 0, 1", "above 0"),
            ("x, int, NaN, 0, 2, 1, 1", "not finite"),
        ] {
            let error = format!("{:#}", Parameter::read(line).unwrap_err());
            assert!(error.contains(fault), "{line}: {error}");
        }
    }
}
