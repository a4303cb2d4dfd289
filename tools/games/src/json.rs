//! JSON from files that may hold anything.

use anyhow::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Parses JSON.
///
/// # Errors
/// If the bytes do not parse, with a reason in one line: the messages of `serde_json` quote names and values of the file, which
/// may contain line breaks and control sequences of terminals.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| Error::msg(error.to_string().replace(|c: char| c.is_control(), " ")))
}

/// Returns the first field in which two structs differ, with both values; fields inside others are named such as `a.b`.
///
/// # Panics
/// If the structs are not JSON.
pub fn difference<T: Serialize>(one: &T, other: &T) -> Option<(String, Value, Value)> {
    let [one, other] = [one, other].map(|value| serde_json::to_value(value).expect("numbers and words by name"));
    first_difference("", &one, &other)
}

fn first_difference(name: &str, one: &Value, other: &Value) -> Option<(String, Value, Value)> {
    let (Value::Object(fields), Value::Object(others)) = (one, other) else {
        return (one != other).then(|| (name.to_owned(), one.clone(), other.clone()));
    };
    let inside = |field: &String| if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
    fields.iter().find_map(|(field, value)| first_difference(&inside(field), value, others.get(field)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Head {
        depth: u32,
    }

    #[test]
    fn a_difference_has_the_name_of_its_field() {
        let value = |depth: u32| serde_json::json!({ "a": 1, "b": { "c": 2, "depth": depth } });
        assert_eq!(difference(&value(3), &value(3)), None);
        assert_eq!(difference(&value(3), &value(4)), Some(("b.depth".to_owned(), 3.into(), 4.into())));
    }

    #[test]
    fn foreign_words_make_neither_lines_nor_colours() {
        assert_eq!(read::<Head>(b"{\"depth\":5}").unwrap().depth, 5);
        let error = |text: &str| read::<Head>(text.as_bytes()).unwrap_err().to_string();
        assert!(error("{\"\\n\\u001bgine\":5}").starts_with("unknown field `  gine`, expected `depth`"));
        assert!(error("{\"depth\":\"\\u009b2J\"}").starts_with("invalid type: string "));
        for text in ["{\"\\n\\u001bgine\":5}", "{\"depth\":\"\\u009b2J\"}"] {
            assert!(!error(text).contains(char::is_control), "{:?}", error(text));
        }
    }
}
