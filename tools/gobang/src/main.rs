//! `chuhe-gobang`: reads stdin, searches, writes stdout.

use std::env;
use std::io::{self, BufReader};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::Result;
use chuhe::help::{self, Texts};
use chuhe_gobang::dialogue;
use chuhe_gobang::engine::Engine;
use clap::Parser;

const MANUAL: &str = "\
Examples:
  chuhe-gobang
  chuhe-gobang --threads 2 --hash 256

Manual: tools/gobang/README.md in the source";

/// Chinese texts of the help.
const TEXTS: Texts = &[
    ("", "五子棋引擎，支持 AGI 和 Gomocup 的协议"),
    ("threads", "搜索线程数"),
    ("hash", "置换表大小，以 MiB 为单位"),
    (
        "...",
        "示例：
  chuhe-gobang
  chuhe-gobang --threads 2 --hash 256

手册：源代码中的 tools/gobang/README.md（英文）",
    ),
];

/// A Gobang engine that speaks AGI and Gomocup's protocol.
#[derive(Parser)]
#[command(version, after_help = MANUAL)]
struct Arguments {
    /// Number of search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table, in MiB.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

fn main() -> Result<()> {
    let arguments: Arguments = help::parse(TEXTS, env::args_os());
    let (events, queue) = channel();
    let mut engine = Engine::new(arguments.threads.into(), usize::try_from(arguments.hash)?, events.clone())?;
    // The reader waits for stdin until the process ends.
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || dialogue::read(BufReader::new(io::stdin()), &events))?;
    dialogue::talk(&mut engine, &queue, &mut io::stdout())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_and_its_help_are_sound() {
        Arguments::command().debug_assert();
        assert_eq!(help::faults(&Arguments::command(), TEXTS, |word| word), [""; 0]);
    }
}
