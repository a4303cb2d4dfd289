//! A test engine that plays the first legal move, and misbehaves as its arguments request.
//!
//! `zoo PROTOCOL [BEHAVIOUR...]`, where the protocol is `ucci`, `ucci-seconds`, `uci` (ranks from 1), `uci-zero` (from 0) or
//! `xboard`.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::process::{Command, abort, exit, id};
use std::thread::sleep;
use std::time::Duration;

use chuhe::board::{Move, Position, Side, Square};

struct Zoo {
    protocol: String,
    behaviours: Vec<String>,
    position: Position,
    banned: Vec<Move>,
    /// Moves to play before all others, in order.
    script: VecDeque<Move>,
    /// Answers given in this game.
    answers: u32,
    /// Value of its only numeric option: with `gives-up` the engine resigns after this number of moves.
    endurance: u32,
    /// Whether a search waits for `ponderhit` or `stop`.
    held: bool,
    /// Whether the engine plays for neither side (`force` of the XBoard protocol).
    forced: bool,
    /// Number of moves received in this game.
    played: u32,
}

/// Runs the engine: executes its standard input to its end, and misbehaves as its arguments request.
///
/// # Panics
/// If a number, a move or a position in its arguments or input is invalid; the caller sees an engine that crashes.
pub fn run() {
    let mut arguments = std::env::args().skip(1);
    let protocol = arguments.next().unwrap_or_else(|| "ucci".to_owned());
    let behaviours: Vec<_> = arguments.collect();
    let script = behaviours.iter().find_map(|word| word.strip_prefix("script="));
    let script = script.into_iter().flat_map(|moves| moves.split(',')).map(|mv| mv.parse().expect("a move")).collect();
    let position = Position::start();
    let mut zoo = Zoo {
        protocol,
        behaviours,
        position,
        banned: Vec::new(),
        script,
        answers: 0,
        endurance: 4,
        held: false,
        forced: false,
        played: 0,
    };
    for line in io::stdin().lock().lines() {
        zoo.obey(&line.expect("the arena writes ASCII"));
    }
}

impl Zoo {
    fn does(&self, behaviour: &str) -> bool {
        self.behaviours.iter().any(|word| word == behaviour)
    }

    fn number(&self, behaviour: &str) -> Option<u64> {
        let number = self.behaviours.iter().find_map(|word| word.strip_prefix(behaviour)?.strip_prefix('='));
        number.map(|number| number.parse().expect("a number"))
    }

    fn is_uci(&self) -> bool {
        self.protocol.starts_with("uci")
    }

    fn is_xboard(&self) -> bool {
        self.protocol == "xboard"
    }

    fn obey(&mut self, line: &str) {
        if self.is_xboard() {
            return self.obey_xboard(line);
        }
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ucci"] if !self.is_uci() => self.greet(),
            ["uci"] if self.is_uci() => self.greet(),
            ["isready"] if !self.does("never-ready") => {
                self.dawdle("slow-ready");
                say("readyok");
            }
            ["setoption", "newgame"] | ["ucinewgame" | "uccinewgame"] => self.answers = 0,
            ["setoption", "endurance", value] => {
                self.endurance = value.parse().expect("a number");
                self.dawdle("slow-to-set");
            }
            ["position", rest @ ..] => self.set_up(rest),
            ["banmoves", moves @ ..] => self.banned = moves.iter().filter_map(|mv| self.read(mv)).collect(),
            ["go", rest @ ..] => self.go(rest),
            ["ponderhit", ..] if self.held => self.answer(),
            ["stop"] if self.held => self.answer(),
            ["stop"] if !self.is_uci() && !self.does("hangs") => say("nobestmove"),
            ["quit"] if self.does("deaf-to-quit") => sleep(Duration::from_secs(60)),
            ["quit"] => exit(0),
            ["ucci" | "uci"] if self.does("dies-of-strangers") => exit(1),
            _ => {}
        }
    }

    fn obey_xboard(&mut self, line: &str) {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["protover", "2"] => self.announce_features(),
            ["ping", number] if !self.does("never-ready") => say(&format!("pong {number}")),
            ["new"] => {
                self.position = Position::start();
                self.answers = 0;
                self.played = 0;
                self.forced = false;
            }
            ["force"] => self.forced = true,
            ["setboard", fen @ ..] => {
                self.position = Position::from_fen(&fen.join(" ")).expect("the arena sends positions");
            }
            ["usermove", _] if self.does("deaf") => say(&format!("Illegal move: {}", words[1])),
            ["usermove", mv] => {
                assert!(self.forced, "it would have to answer");
                let mv = self.read(mv).filter(|&mv| self.position.is_legal(mv)).expect("the arena sends legal moves");
                self.position = self.position.play(mv);
                self.played += 1;
            }
            ["go"] if self.does("claims-draw") && self.played > 0 => say("1/2-1/2 {enough}"),
            ["go"] => {
                self.forced = false;
                self.go(&[]);
            }
            ["?"] if self.held => self.answer(),
            ["quit"] => exit(0),
            _ => {}
        }
    }

    fn announce_features(&self) {
        if self.does("mute") {
            return;
        }
        say("feature done=0");
        say("feature myname=\"zoo of many\" ping=1 usermove=1 memory=1 option=\"Wild Style -check 0\"");
        say(if self.does("plays-chess") {
            "feature variants=\"normal\""
        } else {
            "feature variants=\"normal,xiangqi\""
        });
        if !self.does("knows-one-start") {
            say("feature setboard=1");
        }
        if self.does("plays-once") {
            say("feature reuse=0");
        }
        if !self.does("never-done") {
            say("feature done=1");
        }
    }

    fn wail(&self) {
        if self.does("wails") {
            (1..=3).for_each(|line| eprintln!("line {line} of 3"));
        }
    }

    /// Sleeps for the number of milliseconds of a behaviour.
    fn dawdle(&self, behaviour: &str) {
        sleep(Duration::from_millis(self.number(behaviour).unwrap_or_default()));
    }

    fn greet(&self) {
        if self.does("mute") {
            return;
        }
        self.dawdle("slow-start");
        if self.does("dies-early") {
            self.wail();
            exit(3);
        }
        say("id name zoo");
        if self.does("knows-rules") {
            say(if self.is_uci() {
                "option name Repetition_Rule type combo default ChineseRule var ChineseRule var AsianRule"
            } else {
                "option repetition type combo var league var asian default league"
            });
        }
        if self.does("gives-up") {
            say("option endurance type spin min 1 max 60 default 4");
        }
        match self.protocol.as_str() {
            "ucci" => say("option usemillisec type check default true\noption newgame type button\nucciok"),
            "ucci-seconds" => say("option hashsize type spin\nucciok"),
            "uci" => say("option name UCI_Variant type combo default chess var chess var xiangqi\nuciok"),
            _ => say("option name Hash type spin default 16\nuciok"),
        }
    }

    fn set_up(&mut self, words: &[&str]) {
        let (place, moves) = match words.iter().position(|&word| word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        self.position = match place {
            ["fen", fen @ ..] => Position::from_fen(&fen.join(" ")).expect("the arena sends positions"),
            _ => Position::start(),
        };
        for text in moves {
            let mv = self.read(text).filter(|&mv| self.position.is_legal(mv));
            self.position = self.position.play(mv.unwrap_or_else(|| panic!("{text} is not legal")));
        }
        self.banned.clear();
    }

    fn go(&mut self, words: &[&str]) {
        if let Some(at) = words.iter().position(|&word| word == "searchmoves") {
            let allowed: Vec<_> = words[at + 1..].iter().filter_map(|text| self.read(text)).collect();
            self.banned = self.position.legal_moves().into_iter().filter(|mv| !allowed.contains(mv)).collect();
        }
        if self.protocol == "ucci-seconds" {
            let time = words.iter().position(|&word| word == "time").map(|at| words[at + 1].parse::<u32>());
            assert!(time.is_none_or(|time| time.is_ok_and(|seconds| seconds < 100)), "{words:?}");
        }
        if self.answers + 1 < u32::try_from(self.number("from").unwrap_or(1)).expect("a small number") {
            self.answer();
            return;
        }
        for _ in 0..self.number("chatters").unwrap_or_default() {
            say("info depth 1 score 0 nodes 1 time 1");
        }
        if self.does("dies") {
            self.wail();
            exit(7);
        } else if self.does("aborts") {
            abort();
        } else if self.does("kills-itself") {
            let _ = Command::new("kill").args(["-KILL", &id().to_string()]).status();
        } else if self.does("megabyte") {
            let _ = io::stdout().write_all(&[b'x'; 1 << 20]);
            let _ = io::stdout().flush();
        } else if self.does("floods") {
            flood();
        } else if self.does("stops-only") || words.first() == Some(&"ponder") {
            self.held = true;
        } else if !self.does("hangs") {
            sleep(Duration::from_millis(self.number("late").unwrap_or_default()));
            self.answer();
        }
    }

    fn answer(&mut self) {
        self.held = false;
        self.answers += 1;
        if self.answers < u32::try_from(self.number("from").unwrap_or(1)).expect("a small number") {
            self.play(&[]);
        } else if self.does("illegal") {
            say(if self.is_xboard() { "move a0a9" } else { "bestmove a0a9" });
        } else if self.does("claims-loss") {
            say(if self.position.side() == Side::Red { "0-1 {Black wins}" } else { "1-0 {White wins}" });
        } else if self.does("rubbish") {
            io::stdout().write_all(b"bestmove \xce\xc4\xff\n").expect("somebody reads");
        } else if self.does("offers-none") {
            say(if self.is_uci() { "bestmove (none)" } else { "nobestmove" });
        } else {
            self.play(&self.behaviours.clone());
        }
    }

    fn play(&mut self, behaviours: &[String]) {
        let does = |behaviour: &str| behaviours.iter().any(|word| word == behaviour);
        let scripted = self.script.pop_front();
        self.script.extend(scripted);
        let allowed = |mv: &Move| does("defiant") || !self.banned.contains(mv);
        let scripted = scripted.filter(|&mv| self.position.is_legal(mv)).filter(allowed);
        let mv = scripted.or_else(|| {
            let mut moves = self.position.legal_moves().to_vec();
            if does("wild") {
                // Any move, but always the same one in the same position.
                moves.sort_by_key(|&mv| self.position.play(mv).key().0);
            }
            moves.into_iter().find(allowed)
        });
        let Some(mv) = mv else { return say("nobestmove") };
        if self.is_xboard() {
            return self.play_for_xboard(mv);
        }
        if does("talks-gbk") {
            io::stdout().write_all(b"info string \xc4\xe3\xba\xc3\n").expect("somebody reads");
        }
        if does("comments") {
            say("info nodes 77 nps 4242 hashfull 12 tbhits 3");
            say(&format!("info string pgncomment answer {} {{of many}}", self.answers));
        }
        if let Some(score) = self.number("score") {
            say(&format!("info depth 3 seldepth 4 score {score} nodes 77 time 1 pv {}", self.write(mv)));
        }
        if does("illegal-pv") {
            let of_nobody: Move = "a0a9".parse().expect("a move");
            let (mv, illegal) = (self.write(mv), self.write(of_nobody));
            say(&format!("info depth 2 score 5 pv {mv}\ninfo depth 3 score 5 pv {mv} {illegal} {illegal}"));
        }
        if does("scores-low") {
            say("info depth 3 score -900 nodes 77 time 1");
        }
        let mut line = format!("bestmove {}", self.write(mv));
        let replies = self.position.play(mv).legal_moves();
        let expected = if does("ponders") {
            replies.first()
        } else if does("ponders-badly") {
            replies.last()
        } else {
            None
        };
        line += &expected.map_or_else(String::new, |&reply| format!(" ponder {}", self.write(reply)));
        for request in ["draw", "resign"] {
            if does(request) || request == "resign" && does("gives-up") && self.answers > self.endurance {
                line += &format!(" {request}");
            }
        }
        if does("repeats-itself") {
            io::stdout().write_all(format!("{line}\n{line}\n").as_bytes()).expect("somebody reads");
        } else {
            say(&line);
        }
        if does("floods-afterwards") {
            flood();
        }
    }

    /// Plays a move in the XBoard protocol, where the engine keeps the game itself.
    fn play_for_xboard(&mut self, mv: Move) {
        if let Some(score) = self.number("score") {
            say(&format!("3 {score} 0 77 {}", self.write(mv)));
        }
        if self.does("draw") {
            say("offer draw");
        }
        if self.does("resign") {
            return say("resign");
        }
        self.position = self.position.play(mv);
        say(&format!("move {}", self.write(mv)));
        if self.does("repeats-itself") {
            say(&format!("move {}", self.write(mv)));
        }
        if self.does("takes-draws") {
            say("1/2-1/2 {enough}");
        }
    }

    fn read(&self, text: &str) -> Option<Move> {
        if self.protocol != "uci" {
            return text.parse().ok();
        }
        let split = 1 + text[1..].find(|c: char| c.is_ascii_alphabetic())?;
        let square = |text: &str| -> Option<Square> {
            format!("{}{}", &text[..1], text[1..].parse::<usize>().ok()?.checked_sub(1)?).parse().ok()
        };
        Some(Move::new(square(&text[..split])?, square(&text[split..])?))
    }

    fn write(&self, mv: Move) -> String {
        if self.protocol != "uci" {
            return mv.to_string();
        }
        [mv.from(), mv.to()].map(|square| format!("{}{}", &square.to_string()[..1], square.rank() + 1)).concat()
    }
}

fn say(line: &str) {
    println!("{line}");
}

/// Writes output until the reader closes it.
fn flood() {
    let mut out = io::stdout().lock();
    while out.write_all(b"info depth 1 score 0 nodes 1 time 1 pv a0a1\n").is_ok() {}
    exit(0);
}
