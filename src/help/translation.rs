//! Chinese help of a command: its texts, headings and layout.

use clap::{Arg, ArgAction, Command};

/// Texts of another language. The key is the path of a sub-command and, after it, the identifier of an argument
/// (`judge file`); the empty key is the program itself.
pub type Texts = &'static [(&'static str, &'static str)];

/// Name in a key for the text after the arguments; without one, only the word "Examples" is translated.
pub(super) const EXAMPLES: &str = "...";

/// Returns the layout of the Chinese help of a command; clap's own has English headings and half-width colons.
fn chinese_layout(command: &Command) -> String {
    let part = |is_there: bool, text| if is_there { text } else { "" };
    [
        "{about-with-newline}\n用法：{usage}\n\n",
        part(command.has_subcommands(), "命令：\n{subcommands}\n\n"),
        part(command.get_positionals().next().is_some(), "参数：\n{positionals}\n\n"),
        "选项：\n{options}{after-help}",
    ]
    .concat()
}

/// Returns the command with its help in Chinese; a text that is not in `texts` stays in English.
#[must_use]
pub fn in_chinese(command: Command, texts: Texts) -> Command {
    let mut command = translated(command, texts, "");
    // Adds clap's own sub-command `help`, whose text can be replaced only then.
    command.build();
    if command.has_subcommands() {
        command = command.mut_subcommand("help", |help| help.about("显示本程序或子命令的帮助"));
    }
    command
}

fn translated(mut command: Command, texts: Texts, path: &str) -> Command {
    let text = |key: &str| texts.iter().find(|(known, _)| *known == key).map(|(_, text)| *text);
    if let Some(about) = text(path) {
        command = command.about(about).long_about(None);
    }
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
    let examples = text(&below(EXAMPLES)).map(str::to_owned);
    let examples = examples.or_else(|| Some(command.get_after_help()?.to_string().replace("Examples:", "示例：")));
    let has_version = command.get_version().is_some();
    command = command
        .mut_args(|argument| match text(&below(argument.get_id().as_str())) {
            Some(help) => with_default_in_chinese(argument.help(help).long_help(None)),
            None => argument,
        })
        .disable_help_flag(true)
        .arg(Arg::new("help").short('h').long("help").action(ArgAction::Help).help("显示帮助"));
    let layout = chinese_layout(&command);
    command = command.help_template(layout);
    if let Some(examples) = examples {
        command = command.after_help(examples);
    }
    if has_version {
        let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
        command = command.disable_version_flag(true).arg(version.help("显示版本"));
    }
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let path = below(&name);
        command.mut_subcommand(name, |inner| translated(inner, texts, &path))
    })
}

/// Returns the argument with its default value named in Chinese.
fn with_default_in_chinese(argument: Arg) -> Arg {
    let Some(default) = argument.get_default_values().first().map(|value| value.to_string_lossy().into_owned()) else {
        return argument;
    };
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    argument.help(format!("{help}（默认：{default}）")).hide_default_value(true)
}

/// Returns the keys of everything that has a help text: the program, its sub-commands and their arguments.
pub fn keys(command: &Command) -> Vec<String> {
    fn collect(command: &Command, path: &str, found: &mut Vec<String>) {
        found.push(path.to_owned());
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
        found.extend(command.get_arguments().map(|argument| below(argument.get_id().as_str())));
        for inner in command.get_subcommands() {
            collect(inner, &below(inner.get_name()), found);
        }
    }
    let mut found = vec![];
    collect(command, "", &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_path_and_others_stay() {
        let file = Arg::new("file").long("file").help("A file");
        let rules = Arg::new("rules").long("rules").help("The rules");
        let count = Arg::new("count").help("A number").default_value("3");
        let command = Command::new("x").version("1").about("A program").after_help("Examples:\n  x judge");
        let command = command.subcommand(Command::new("judge").about("Judges").arg(file).arg(rules).arg(count));
        let texts: Texts = &[("", "一个程序"), ("judge", "判例"), ("judge file", "文件"), ("judge count", "次数")];
        let mut command = in_chinese(command, texts);
        let help = command.render_help().to_string();
        assert!(help.starts_with("一个程序\n\n用法：x"), "{help}");
        assert!(help.contains("help   显示本程序或子命令的帮助"), "{help}");
        for shown in ["命令：\n  judge  判例", "选项：\n  -h", "示例：\n  x judge", "显示版本"] {
            assert!(help.contains(shown), "{shown} in {help}");
        }
        let judge = command.find_subcommand_mut("judge").expect("it is there").render_help().to_string();
        assert!(judge.contains("文件") && judge.contains("The rules"), "{judge}");
        assert!(judge.contains("参数：\n  [count]  次数（默认：3）\n\n选项：\n"), "{judge}");
    }
}
