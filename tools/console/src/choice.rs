//! Options whose value is one of a few words.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Returns a parser of these words, which the help lists, into the values beside them.
pub fn one_of<T, const N: usize>(choices: [(&'static str, T); N]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(choices.map(|(word, _)| word)).map(move |given| {
        let choice = choices.iter().find(|(word, _)| *word == given);
        choice.expect("the parser refuses other words").1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    #[test]
    fn a_word_becomes_its_value_and_another_one_is_refused_with_the_choice() {
        let command = Command::new("x").arg(Arg::new("n").long("n").value_parser(one_of([("one", 1), ("two", 2)])));
        let parse = |word| command.clone().try_get_matches_from(["x", "--n", word]);
        assert_eq!(parse("two").unwrap().get_one::<i32>("n"), Some(&2));
        assert!(parse("three").unwrap_err().to_string().contains("[possible values: one, two]"));
    }
}
