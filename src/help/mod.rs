//! Help of a command line in the user's language: the Chinese texts replace the English ones where the system speaks Chinese.

pub mod chinese;
mod errors;
mod examples;
pub mod patterns;
pub mod suggestions;
mod translation;

use std::ffi::OsString;

use clap::{Error, Parser};
pub use examples::faults;
pub use translation::{Texts, in_chinese, keys};

/// Whether the system's language is Chinese, by `LC_ALL`, `LC_MESSAGES` and `LANG` or the settings of the system.
pub fn is_chinese() -> bool {
    sys_locale::get_locale().is_some_and(|locale| is_chinese_locale(&locale))
}

/// Whether a name of a language, such as `zh_CN.UTF-8` or `zh-Hant`, is one for Chinese.
fn is_chinese_locale(locale: &str) -> bool {
    locale.split(['-', '_', '.']).next().is_some_and(|language| language.eq_ignore_ascii_case("zh"))
}

/// Parses the words of a command line, the program's name first. Help and errors are in Chinese if the system's language is
/// Chinese; both end the program.
pub fn parse<P: Parser>(texts: Texts, words: impl IntoIterator<Item = OsString>) -> P {
    let is_chinese = is_chinese();
    let command = if is_chinese { in_chinese(P::command(), texts) } else { P::command() };
    let parsed = command.try_get_matches_from(words).and_then(|matches| P::from_arg_matches(&matches));
    parsed.unwrap_or_else(|error: Error| errors::exit_with(&suggestions::without_unlike(error), is_chinese))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_locales_are_known_by_their_language() {
        for locale in ["zh", "zh_CN.UTF-8", "zh-Hant-TW", "ZH_hk"] {
            assert!(is_chinese_locale(locale), "{locale}");
        }
        for locale in ["", "C", "en_US.UTF-8", "zhuang"] {
            assert!(!is_chinese_locale(locale), "{locale}");
        }
    }
}
