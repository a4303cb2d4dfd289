//! Output buckets as an option and as a field of checkpoints: their number, if pieces select one, or `material`.

use std::fmt::Display;

use chuhe::eval::nnue::OutputBuckets;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Word for output buckets that material selects.
const MATERIAL: &str = "material";

/// Field of a checkpoint; older ones have numbers alone.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Field {
    Number(usize),
    Word(String),
}

/// Reads the word of an option.
///
/// # Errors
/// If it is neither a number nor `material`.
pub fn parse(word: &str) -> Result<OutputBuckets, String> {
    if word == MATERIAL {
        return Ok(OutputBuckets::ByMaterial);
    }
    word.parse().map(OutputBuckets::ByPieces).map_err(|_| format!("expected a number or {MATERIAL}"))
}

/// Returns the word that [`parse`] reads.
pub fn word(outputs: OutputBuckets) -> impl Display {
    match outputs {
        OutputBuckets::ByPieces(count) => count.to_string(),
        OutputBuckets::ByMaterial => MATERIAL.to_owned(),
    }
}

/// Writes a field of a checkpoint.
///
/// # Errors
/// If the serializer fails.
pub fn serialize<S: Serializer>(outputs: &OutputBuckets, serializer: S) -> Result<S::Ok, S::Error> {
    let field = match outputs {
        OutputBuckets::ByPieces(count) => Field::Number(*count),
        OutputBuckets::ByMaterial => Field::Word(MATERIAL.to_owned()),
    };
    field.serialize(serializer)
}

/// Reads a field of a checkpoint.
///
/// # Errors
/// If it is neither a number nor `material`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<OutputBuckets, D::Error> {
    match Field::deserialize(deserializer)? {
        Field::Number(count) => Ok(OutputBuckets::ByPieces(count)),
        Field::Word(word) if word == MATERIAL => Ok(OutputBuckets::ByMaterial),
        Field::Word(_) => Err(D::Error::custom(format!("outputs: expected a number or {MATERIAL}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_buckets_survive_option_and_field() {
        #[derive(Serialize, Deserialize)]
        struct Settings(#[serde(with = "super")] OutputBuckets);
        for (outputs, field) in [(OutputBuckets::ByPieces(8), "8"), (OutputBuckets::ByMaterial, "\"material\"")] {
            assert_eq!(parse(&word(outputs).to_string()), Ok(outputs));
            assert_eq!(serde_json::to_string(&Settings(outputs)).unwrap(), field);
            assert_eq!(serde_json::from_str::<Settings>(field).unwrap().0, outputs);
        }
        assert_eq!(parse("rooks").unwrap_err(), "expected a number or material");
        assert!(serde_json::from_str::<Settings>("\"rooks\"").is_err());
    }
}
