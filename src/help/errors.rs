//! Messages about a wrong command line, in the user's language.

use std::io::{self, Write};
use std::process::exit;

use clap::Error;

use super::patterns::{Patterns, translated};

/// Lines of clap's messages. Longer patterns come before those that they begin with.
const LINES: Patterns = &[
    ("error: unexpected argument '{}' found", "错误：多余的参数“{}”"),
    ("error: unrecognized subcommand '{}'", "错误：没有“{}”这个命令"),
    ("error: invalid value '{}' for '{}': {}", "错误：“{}”不能用作“{}”的值：{}"),
    ("error: invalid value '{}' for '{}'", "错误：“{}”不能用作“{}”的值"),
    ("error: a value is required for '{}' but none was supplied", "错误：“{}”需要一个值"),
    ("error: the following required arguments were not provided:", "错误：缺少以下参数："),
    ("error: the argument '{}' cannot be used multiple times", "错误：参数“{}”只能使用一次"),
    ("error: the argument '{}' cannot be used with:", "错误：参数“{}”不能与以下参数同时使用："),
    ("error: the argument '{}' cannot be used with '{}'", "错误：参数“{}”不能与“{}”同时使用"),
    ("error: unexpected value '{}' for '{}' found; no more were expected", "错误：多余的值“{}”（“{}”）"),
    ("error: '{}' requires a subcommand but one was not provided", "错误：“{}”之后需要一个命令"),
    ("error: {}", "错误：{}"),
    ("  [possible values: {}]", "  [可用的值：{}]"),
    ("  [subcommands: {}]", "  [命令：{}]"),
    ("  tip: a similar argument exists: '{}'", "  提示：是否要用“{}”？"),
    ("  tip: a similar subcommand exists: '{}'", "  提示：是否要用“{}”？"),
    ("  tip: a similar value exists: '{}'", "  提示：是否要用“{}”？"),
    ("  tip: some similar arguments exist: {}", "  提示：是否要用 {}？"),
    ("  tip: some similar subcommands exist: {}", "  提示：是否要用 {}？"),
    ("  tip: some similar values exist: {}", "  提示：是否要用 {}？"),
    ("  tip: to pass '{}' as a value, use '{}'", "  提示：要把“{}”用作值，请写作“{}”"),
    ("Usage: {}", "用法：{}"),
    ("For more information, try '{}'.", "详细说明：{}"),
];

/// Returns a message of clap in Chinese; lines without a translation stay in English.
fn chinese(message: &str) -> String {
    let lines = message.lines().map(|line| translated(line, LINES).unwrap_or_else(|| line.to_owned()) + "\n");
    lines.collect()
}

/// Ends the program with an error of its command line, or with the help that was asked for.
pub(super) fn exit_with(error: &Error, is_chinese: bool) -> ! {
    if !(is_chinese && error.use_stderr()) {
        error.exit();
    }
    // Without a reader there is only the exit status.
    let _ = io::stderr().write_all(chinese(&error.render().to_string()).as_bytes());
    exit(error.exit_code())
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, Command};

    use super::super::patterns::faulty;
    use super::*;

    fn message(line: &str) -> String {
        let level = Arg::new("level").long("level").value_parser(["lowest", "highest"]);
        let quiet = Arg::new("quiet").long("quiet").action(ArgAction::SetTrue).conflicts_with("level");
        let file = Command::new("stats").arg(Arg::new("file").required(true));
        let command = Command::new("x").arg(level).arg(quiet).subcommand(file);
        chinese(&command.try_get_matches_from(line.split(' ')).unwrap_err().to_string())
    }

    #[test]
    fn every_line_of_common_messages_is_translated() {
        for (line, expected) in [
            ("x --levle 1", "错误：多余的参数“--levle”\n\n  提示：是否要用“--level”？\n\n用法：x"),
            ("x statss", "错误：没有“statss”这个命令\n\n  提示：是否要用“stats”？\n"),
            ("x --level=middle", "错误：“middle”不能用作“--level <level>”的值\n  [可用的值：lowest, highest]\n"),
            ("x --level", "错误：“--level <level>”需要一个值\n  [可用的值：lowest, highest]\n"),
            ("x --quiet --level lowest", "错误：参数“--quiet”不能与“--level <level>”同时使用\n"),
            ("x --quiet --quiet", "错误：参数“--quiet”只能使用一次\n"),
            ("x stats", "错误：缺少以下参数：\n  <file>\n\n用法：x stats <file>\n"),
            ("x stats a b", "错误：多余的参数“b”\n\n用法：x stats <file>\n"),
        ] {
            let message = message(line);
            assert!(message.starts_with(expected) && message.ends_with("详细说明：--help\n"), "{message}");
        }
    }

    #[test]
    fn every_pattern_can_be_reached() {
        assert_eq!(faulty(LINES), [""; 0]);
    }
}
