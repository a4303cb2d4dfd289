//! Grammar of the command line: options with a dash, each followed by values. It does not know the names of the options.

use std::fmt::Display;
use std::iter;
use std::path::{PathBuf, absolute};
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use chuhe::help::suggestions::LIKENESS;

/// An option with the values up to the next option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// Name without its dashes.
    pub(crate) word: String,
    pub(crate) values: Vec<String>,
}

/// Splits arguments into groups; an option begins with one or two dashes and a letter.
pub(crate) fn groups(arguments: &[String]) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for argument in arguments {
        let word = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-'));
        match (word.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())), groups.last_mut()) {
            (Some(word), _) => groups.push(Group { word: word.to_owned(), values: Vec::new() }),
            (None, Some(group)) => group.values.push(argument.clone()),
            (None, None) => bail!("unexpected argument {argument:?}: options begin with a dash"),
        }
    }
    Ok(groups)
}

/// Returns the candidate most similar to `text`, if one is similar enough.
pub(crate) fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_ascii_lowercase();
    let rated = candidates.into_iter().map(|word| (strsim::jaro_winkler(&text, &word.to_ascii_lowercase()), word));
    rated.filter(|(likeness, _)| *likeness > LIKENESS).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, word)| word)
}

/// Returns `"; did you mean WORD?"`, or an empty string.
pub(crate) fn suggestion<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>, prefix: &str) -> String {
    nearest(text, candidates).map(|word| format!("; did you mean {prefix}{word}?")).unwrap_or_default()
}

impl Group {
    /// Returns the group as words of a command line.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        iter::once(format!("-{}", self.word)).chain(self.values.iter().cloned())
    }

    /// Returns the group with absolute paths: those after `file=`, and bare values of options that take a file.
    pub(crate) fn with_absolute_paths(self) -> Result<Self> {
        let is_path = matches!(self.word.as_str(), "report" | "journal" | "epdout" | "pgnout");
        let is_switch = |value: &str| self.word == "pgnout" && matches!(value, "min" | "fi");
        let whole = |value: String| -> Result<String> {
            Ok(match value.strip_prefix("file=") {
                Some(path) => format!("file={}", absolute(path)?.display()),
                None if is_path && !is_pair(&value) && !is_switch(&value) => absolute(&value)?.display().to_string(),
                None => value,
            })
        };
        let values = self.values.iter().cloned().map(whole).collect::<Result<_>>()?;
        Ok(Self { word: self.word.clone(), values })
    }

    /// Returns the only value.
    pub(crate) fn single<T: FromStr<Err: Display>>(&self) -> Result<T> {
        match self.values.as_slice() {
            [value] => parse(value).map_err(|error| error.context(format!("-{}", self.word))),
            [] => bail!("-{} needs a value", self.word),
            [_, second, ..] => bail!("-{} takes one value; {second:?} is one too many", self.word),
        }
    }

    /// Returns `true`, for an option without a value.
    pub(crate) fn flag(&self) -> Result<bool> {
        self.values.first().map_or(Ok(true), |value| bail!("-{} takes no value, not {value:?}", self.word))
    }

    /// Returns the values as `key=value` pairs.
    pub(crate) fn keys(&self) -> Keys<'_> {
        self.keys_of(self.values.iter())
    }

    fn keys_of<'a>(&'a self, values: impl Iterator<Item = &'a String>) -> Keys<'a> {
        let pair = |value: &'a String| match value.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (value.as_str(), None),
        };
        Keys { word: &self.word, pairs: values.map(pair).collect(), known: Vec::new() }
    }

    /// Returns the file, given by its bare name or by `file=`, and all other values as `key=value` pairs.
    pub(crate) fn file_and_keys(&self) -> Result<(Option<PathBuf>, Keys<'_>)> {
        let (pairs, names): (Vec<&String>, Vec<&String>) = self.values.iter().partition(|value| is_pair(value));
        let mut keys = self.keys_of(pairs.into_iter());
        let files: Vec<PathBuf> = keys.value("file")?.into_iter().chain(names.iter().map(PathBuf::from)).collect();
        if let [_, second, ..] = files.as_slice() {
            bail!("-{} takes one file; {second:?} is one too many", self.word);
        }
        Ok((files.into_iter().next(), keys))
    }

    /// Returns the file, given by its bare name in front or by `file=`, and all other values as pairs and bare keys.
    pub(crate) fn first_file_and_keys(&self) -> Result<(PathBuf, Keys<'_>)> {
        match self.values.as_slice() {
            [name, rest @ ..] if !is_pair(name) && !rest.iter().any(|value| value.starts_with("file=")) => {
                Ok((name.into(), self.keys_of(rest.iter())))
            }
            _ => {
                let mut keys = self.keys();
                Ok((keys.required("file")?, keys))
            }
        }
    }

    /// Returns the only value, a file given by its bare name or by `file=`.
    pub(crate) fn file(&self) -> Result<PathBuf> {
        let (file, keys) = self.file_and_keys()?;
        keys.finish()?;
        file.ok_or_else(|| anyhow!("-{} needs a file", self.word))
    }
}

/// Whether a value is `key=value`, and not a file name with `=` in it, such as `./a=b`.
fn is_pair(value: &str) -> bool {
    let is_key = |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    value.split_once('=').is_some_and(|(key, _)| is_key(key))
}

/// Parses a value.
pub(crate) fn parse<T: FromStr<Err: Display>>(value: &str) -> Result<T> {
    value.parse().map_err(|error| anyhow!("{value:?}: {error}"))
}

/// The `key=value` pairs and bare keys of a group, consumed one by one.
pub(crate) struct Keys<'a> {
    word: &'a str,
    pairs: Vec<(&'a str, Option<&'a str>)>,
    /// Keys requested so far, for suggestions after a misspelling.
    known: Vec<&'static str>,
}

impl<'a> Keys<'a> {
    /// Returns the value of `key`, if given.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<Option<&'a str>> {
        self.known.push(key);
        let Some(at) = self.pairs.iter().position(|(given, _)| *given == key) else { return Ok(None) };
        let (_, value) = self.pairs.remove(at);
        if self.pairs.iter().any(|(given, _)| *given == key) {
            bail!("-{}: {key} is given twice", self.word);
        }
        value.map(Some).ok_or_else(|| anyhow!("-{}: {key} needs a value: {key}=...", self.word))
    }

    /// Returns the value of `key`, if given, as a parsed type.
    pub(crate) fn value<T: FromStr<Err: Display>>(&mut self, key: &'static str) -> Result<Option<T>> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        parse(text).map(Some).map_err(|error| error.context(format!("-{} {key}", self.word)))
    }

    /// Returns the value of a mandatory key.
    pub(crate) fn required<T: FromStr<Err: Display>>(&mut self, key: &'static str) -> Result<T> {
        self.value(key)?.ok_or_else(|| anyhow!("-{} needs {key}=...", self.word))
    }

    /// Returns a boolean: `key=on`, `key=true`, or the bare key for `true`; `None` if the key is missing.
    pub(crate) fn switch(&mut self, key: &'static str) -> Result<Option<bool>> {
        if let Some(at) = self.pairs.iter().position(|pair| *pair == (key, None)) {
            self.pairs.remove(at);
            self.known.push(key);
            return Ok(Some(true));
        }
        match self.text(key)? {
            None => Ok(None),
            Some("on" | "true" | "yes" | "1") => Ok(Some(true)),
            Some("off" | "false" | "no" | "0") => Ok(Some(false)),
            Some(other) => bail!("-{} {key}: {other:?} is neither on nor off", self.word),
        }
    }

    /// Returns all values of a key that may be given several times.
    pub(crate) fn every(&mut self, key: &'static str) -> Vec<&'a str> {
        let mut found = Vec::new();
        self.known.push(key);
        self.pairs.retain(|&(given, value)| match value {
            Some(value) if given == key => {
                found.push(value);
                false
            }
            _ => true,
        });
        found
    }

    /// Returns all pairs whose key begins with `prefix`, with the prefix removed.
    pub(crate) fn prefixed(&mut self, prefix: &'static str) -> Vec<(&'a str, &'a str)> {
        let mut found = Vec::new();
        self.known.push(prefix);
        self.pairs.retain(|&(key, value)| match (key.strip_prefix(prefix), value) {
            (Some(name), Some(value)) => {
                found.push((name, value));
                false
            }
            _ => true,
        });
        found
    }

    /// Returns an error if a pair is left over.
    pub(crate) fn finish(self) -> Result<()> {
        let Some(&(key, _)) = self.pairs.first() else { return Ok(()) };
        bail!("-{} has no key {key:?}{}", self.word, suggestion(key, self.known, ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(line: &str) -> Group {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        groups(&words).unwrap().remove(0)
    }

    #[test]
    fn one_dash_or_two_begin_a_word_and_negative_numbers_do_not() {
        let words: Vec<String> = ["-sprt", "elo0=-5", "--seed", "-3"].map(str::to_owned).to_vec();
        let groups = groups(&words).unwrap();
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[1].word.as_str(), groups[1].values[0].as_str()), ("seed", "-3"));
        assert!(super::groups(&["stray".to_owned()]).is_err());
    }

    #[test]
    fn keys_are_taken_once_and_the_rest_is_refused() {
        let group = group("-engine cmd=a option.Hash=16 ponder pnoder=1");
        let mut keys = group.keys();
        assert_eq!(keys.text("cmd").unwrap(), Some("a"));
        assert_eq!(keys.text("tc").unwrap(), None);
        assert_eq!(keys.prefixed("option."), [("Hash", "16")]);
        assert_eq!(keys.switch("ponder").unwrap(), Some(true));
        let error = keys.finish().unwrap_err().to_string();
        assert_eq!(error, "-engine has no key \"pnoder\"; did you mean ponder?");
    }

    #[test]
    fn faults_name_the_word_and_the_value() {
        let message = |result: Result<u32>| format!("{:#}", result.unwrap_err());
        assert_eq!(message(group("-rounds").single()), "-rounds needs a value");
        assert_eq!(message(group("-rounds x").single()), "-rounds: \"x\": invalid digit found in string");
        assert_eq!(message(group("-rounds 1 2").single()), "-rounds takes one value; \"2\" is one too many");
        let draw = group("-draw score=1 score=2");
        assert_eq!(message(draw.keys().required("score")), "-draw: score is given twice");
        assert_eq!(message(draw.keys().required("movecount")), "-draw needs movecount=...");
    }

    #[test]
    fn a_key_with_a_value_is_no_name_of_a_file() {
        let file = |line: &str| group(line).file().map_err(|error| error.to_string());
        assert_eq!(file("-journal games").unwrap(), PathBuf::from("games"));
        assert_eq!(file("-journal file=a=b").unwrap(), PathBuf::from("a=b"));
        assert_eq!(file("-journal ./a=b").unwrap(), PathBuf::from("./a=b"));
        assert_eq!(file("-journal penta=true").unwrap_err(), "-journal has no key \"penta\"");
        assert_eq!(file("-journal a b").unwrap_err(), "-journal takes one file; \"b\" is one too many");
        assert_eq!(file("-journal").unwrap_err(), "-journal needs a file");
        let mixed = group("-report r.html penta=true").with_absolute_paths().unwrap();
        assert!(mixed.values[0].ends_with("/r.html") && mixed.values[1] == "penta=true", "{mixed:?}");
    }

    #[test]
    fn a_file_may_stand_in_front_of_bare_keys() {
        let read = |line: &str| {
            let group = group(line);
            let (file, mut keys) = group.first_file_and_keys().map_err(|error| error.to_string())?;
            let min = keys.switch("min").unwrap();
            keys.finish().map_err(|error| error.to_string())?;
            Ok::<_, String>((file, min))
        };
        assert_eq!(read("-pgnout g.pgn min").unwrap(), (PathBuf::from("g.pgn"), Some(true)));
        assert_eq!(read("-pgnout min=true file=g.pgn").unwrap(), (PathBuf::from("g.pgn"), Some(true)));
        assert_eq!(read("-pgnout min file=g.pgn").unwrap(), (PathBuf::from("g.pgn"), Some(true)));
        assert_eq!(read("-pgnout g.pgn h.pgn").unwrap_err(), "-pgnout has no key \"h.pgn\"");
        assert_eq!(read("-pgnout min=true").unwrap_err(), "-pgnout needs file=...");
        let whole = group("-pgnout g.pgn min fi").with_absolute_paths().unwrap();
        assert!(whole.values[0].ends_with("/g.pgn") && whole.values[1..] == ["min", "fi"], "{whole:?}");
        let twice = group("-engine arg=a arg=b cmd=c");
        assert_eq!(twice.keys().every("arg"), ["a", "b"]);
    }

    #[test]
    fn the_nearest_word_is_like_the_wrong_one() {
        assert_eq!(nearest("enigne", ["each", "engine", "openings"]), Some("engine"));
        for far in ["zzz", "angina", "seeing", "catch"] {
            assert_eq!(nearest(far, ["each", "engine"]), None, "{far}");
        }
    }
}
