//! Journals of the arena in one folder: their list, their games, and those that are being written.

mod standing;
mod under_way;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use chuhe_engines::player::Eval as EngineEval;
use chuhe_games::journal::Lines;
use chuhe_games::json;
use chuhe_games::played;
use chuhe_games::record::{Eval, GameRecord};
use serde_json::{Value, json};

use crate::engines::Job;
use crate::outbox::Outbox;
use crate::refusal::{Answer, Refusal};
use crate::score::RedScore;
use crate::tree::from_moves;
use standing::Standing;

/// Ending of the names of journals.
const EXTENSION: &str = "journal";

/// Maximum number of journals in a list, and of games in a message.
const MOST_JOURNALS: usize = 1000;
const MOST_GAMES: usize = 5000;

/// Interval at which a journal is looked at.
const INTERVAL: Duration = Duration::from_millis(250);

/// The folder of journals.
pub(crate) struct Journals(Option<PathBuf>);

impl Journals {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self(folder)
    }

    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// Answers `journals`.
    pub(crate) fn list(&self) -> Answer {
        let Some(folder) = &self.0 else { return Ok(json!({ "type": "journals", "journals": [] })) };
        let entries = match fs::read_dir(folder) {
            // The match that makes the folder has not begun.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            entries => Some(entries.map_err(|error| Refusal::new("io", error))?),
        };
        let entries = entries.into_iter().flatten();
        let mut journals: Vec<_> =
            entries.filter_map(|entry| described(&entry.ok()?.path())).take(MOST_JOURNALS).collect();
        journals.sort_by_key(|journal| std::cmp::Reverse(journal["modified_ms"].as_u64()));
        Ok(json!({ "type": "journals", "journals": journals }))
    }

    /// Returns the path of a journal of the list; no other file can be named.
    pub(crate) fn find(&self, name: &str) -> Result<PathBuf, Refusal> {
        let missing = || Refusal::new("not_found", format!("there is no journal {name:?}"));
        let folder = self.0.as_ref().ok_or_else(missing)?;
        let entries = fs::read_dir(folder).map_err(|error| Refusal::new("io", error))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let named = |path: &PathBuf| path.file_name().is_some_and(|own| own.to_str() == Some(name)) && is_journal(path);
        paths.into_iter().find(named).ok_or_else(missing)
    }

    /// Answers `journal_game`. A long journal is not searched for a game that is being played (`is_playing`).
    pub(crate) fn game(&self, name: &str, number: u32, is_playing: bool) -> Answer {
        let path = self.find(name)?;
        if is_playing && let Some(game) = under_way::find(&path, number) {
            let mut answer = whole_game(&game)?;
            answer["ending"] = Value::Null;
            return Ok(answer);
        }
        let mut lines = Lines::open(&path).map_err(|error| Refusal::new("io", error))?;
        let prefix = format!("{{\"number\":{number},");
        while let Some(line) = lines.next().map_err(|error| Refusal::new("io", error))? {
            if line.starts_with(prefix.as_bytes()) {
                let game: GameRecord = json::read(&line).map_err(|error| Refusal::new("unreadable", error))?;
                return whole_game(&game);
            }
        }
        Err(Refusal::new("not_found", format!("there is no game {number} in {name:?}")))
    }
}

fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
        && fs::metadata(path).is_ok_and(|data| data.is_file())
}

fn described(path: &Path) -> Option<Value> {
    let data = Some(path).filter(|path| is_journal(path)).and_then(|path| fs::metadata(path).ok())?;
    let modified = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let name = path.file_name()?.to_str()?;
    Some(json!({ "name": name, "bytes": data.len(), "modified_ms": modified.as_millis() as u64 }))
}

/// Sends the games of a journal, and those that are added, until the job ends.
pub(crate) fn follow(path: &Path, name: &str, job: &Job, outbox: &Outbox) {
    let mut watch = None;
    while !job.is_over() && !outbox.is_closed() {
        if let Err(error) = look(path, name, job, outbox, &mut watch) {
            let refusal = Refusal::new("io", format!("{name}: {error}"));
            return outbox.finish(job.number, &refusal.message("job", Some(job.number)));
        }
        std::thread::sleep(INTERVAL);
    }
}

/// A journal in progress.
struct Watch {
    lines: Lines,
    standing: Standing,
    /// Numbers of the games that have ended.
    ended: BTreeSet<u32>,
    /// Games under way as they were sent last.
    playing: Value,
}

impl Watch {
    fn open(path: &Path) -> io::Result<Self> {
        let (standing, ended, playing) = (Standing::default(), BTreeSet::new(), json!([]));
        Ok(Self { lines: Lines::open(path)?, standing, ended, playing })
    }

    /// Reads the games that have ended since; returns the newest of them for the list.
    fn read(&mut self) -> io::Result<Vec<Value>> {
        let mut games: Vec<Value> = Vec::new();
        while let Some(line) = self.lines.next()? {
            match json::read::<GameRecord>(&line) {
                Ok(game) => {
                    self.standing.count(&game);
                    self.ended.insert(game.number);
                    games.push(summary(&game));
                }
                Err(_) => self.standing.read_header(&line),
            }
            if games.len() >= 2 * MOST_GAMES {
                games.drain(..MOST_GAMES);
            }
        }
        games.drain(..games.len().saturating_sub(MOST_GAMES));
        Ok(games)
    }
}

/// Sends what is new in the journal. A file that has been replaced or cut off is read anew.
fn look(path: &Path, name: &str, job: &Job, outbox: &Outbox, watch: &mut Option<Watch>) -> io::Result<()> {
    let is_old = watch.as_ref().is_some_and(|watch| watch.lines.is_replaced(path));
    let restart = watch.is_none() || is_old;
    if restart {
        *watch = Some(Watch::open(path)?);
    }
    let Some(watch) = watch else { return Ok(()) };
    // The games under way first: one that ends in between is in the journal then.
    let under_way = under_way::read(path);
    let games = watch.read()?;
    let playing = under_way.map_or_else(
        || watch.playing.clone(),
        |under_way| {
            under_way.iter().filter(|game| !watch.ended.contains(&game.number)).map(under_way::summary).collect()
        },
    );
    if !restart && games.is_empty() && playing == watch.playing {
        return Ok(());
    }
    let mut message = json!({ "type": "journal", "job": job.number, "name": name, "restart": restart, "games": games });
    message["playing"] = playing.clone();
    watch.standing.tell(&mut message);
    watch.playing = playing;
    outbox.send(&message);
    Ok(())
}

fn summary(game: &GameRecord) -> Value {
    json!({
        "number": game.number,
        "round": game.round,
        "red": game.red,
        "black": game.black,
        "result": game.result.text(),
        "ending": format!("{:?}", game.ending.class),
        "text": game.ending.text,
        "plies": game.opening_moves.len() + game.moves.len(),
    })
}

/// Returns a game of a journal with the engines' scores.
fn whole_game(record: &GameRecord) -> Answer {
    let mut bytes = b"{}\n".to_vec();
    serde_json::to_writer(&mut bytes, record).map_err(|error| Refusal::new("unreadable", error))?;
    bytes.push(b'\n');
    let game = played::read(&bytes).into_iter().next();
    let game = game.unwrap_or_else(|| Err("no game".to_owned())).map_err(|fault| Refusal::new("unreadable", fault))?;
    let opening = record.opening_moves.len();
    let start = if opening.is_multiple_of(2) { game.start.side() } else { !game.start.side() };
    let evals = record.moves.iter().enumerate().map(|(index, played)| {
        let side = if index.is_multiple_of(2) { start } else { !start };
        json!({
            "ply": opening + index + 1,
            "score": played.eval.map(|eval| RedScore::new(of_record(eval), None, side).json()),
            "depth": played.depth,
            "ms": played.time_ms,
            "left_ms": played.left_ms,
        })
    });
    let mut answer = summary(record);
    answer["type"] = json!("journal_game");
    answer["evals"] = json!(evals.collect::<Vec<_>>());
    let mut tree = from_moves(&game)?.json();
    tree["tags"] = json!({ "Red": record.red, "Black": record.black, "Round": record.round.to_string() });
    answer["game"] = tree;
    Ok(answer)
}

fn of_record(eval: Eval) -> EngineEval {
    match eval {
        Eval::Centipawns(centipawns) => EngineEval::Centipawns(centipawns),
        Eval::Mate(moves) => EngineEval::Mate(moves),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const HEADER: &str =
        "{\"version\":\"1\",\"command\":[\"-engine\",\"cmd=a\",\"-engine\",\"cmd=b\",\"-rounds\",\"5\"]}\n";

    fn game(number: u32) -> String {
        format!(
            "{{\"number\":{number},\"round\":1,\"red\":\"a\",\"black\":\"b\",\"start_fen\":\"{}\",\"opening\":null,\"moves\":[{{\"mv\":\"h2e2\",\
             \"eval\":{{\"Centipawns\":30}},\"depth\":5,\"selective_depth\":null,\"nodes\":null,\"time_ms\":10,\"left_ms\":null,\"ponder_hit\":false}},\
             {{\"mv\":\"h9g7\",\"eval\":{{\"Centipawns\":40}},\"depth\":5,\"selective_depth\":null,\"nodes\":null,\"time_ms\":10,\"left_ms\":null,\
             \"ponder_hit\":false}}],\"result\":\"Draw\",\"ending\":{{\"class\":\"Agreement\",\"text\":\"agreed\"}},\"started_at_ms\":0,\
             \"duration_ms\":1,\"time_control\":\"1+0\"}}\n",
            chuhe::board::START_FEN
        )
    }

    fn folder(text: &str) -> (tempfile::TempDir, Journals) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.journal"), text).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        let journals = Journals::new(Some(folder.path().to_owned()));
        (folder, journals)
    }

    #[test]
    fn only_journals_of_the_folder_can_be_named() {
        let (folder, journals) = folder(HEADER);
        assert_eq!(journals.list().unwrap()["journals"].as_array().unwrap().len(), 1);
        assert!(journals.find("a.journal").is_ok());
        let outside = folder.path().join("a.journal").display().to_string();
        for name in ["secret.txt", "../a.journal", "./a.journal", "", ".", "..", "/etc/passwd", outside.as_str()] {
            assert_eq!(journals.find(name).unwrap_err().code, "not_found", "{name}");
        }
        assert_eq!(Journals::new(None).find("a.journal").unwrap_err().code, "not_found");
        let not_yet = Journals::new(Some(folder.path().join("matches")));
        assert_eq!(not_yet.list().unwrap()["journals"], json!([]));
    }

    #[test]
    fn a_game_has_its_scores_for_red() {
        let (_folder, journals) = folder(&(HEADER.to_owned() + &game(1) + &game(12)));
        let found = journals.game("a.journal", 12, true).unwrap();
        assert_eq!(found["evals"][1]["score"], json!({ "cp": -40 }));
        assert_eq!((found["game"]["nodes"].as_array().unwrap().len(), found["number"].as_u64()), (2, Some(12)));
        assert_eq!(journals.game("a.journal", 2, false).unwrap_err().code, "not_found");
    }

    /// Writes the games under way as the arena does.
    fn write_live(journal: &Path, rewriting: u64, games: &[(u32, &[&str])]) {
        let line = |(number, moves): &(u32, &[&str])| {
            let moves: Vec<Value> =
                moves.iter().map(|mv| json!({ "mv": mv, "eval": { "Centipawns": 7 }, "time_ms": 5 })).collect();
            let game = json!({ "seat": 1, "number": number, "round": 1, "red": "a", "black": "b", "start_fen": chuhe::board::START_FEN,
                "opening": null, "time_control": "1+0", "started_at_ms": 0, "moved_at_ms": 0, "clocks_ms": [null, null], "moves": moves });
            game.to_string()
        };
        let lines: Vec<String> = games.iter().map(line).collect();
        fs::write(chuhe_games::live::path_for(journal), chuhe_games::live::text(rewriting, lines.iter())).unwrap();
    }

    #[test]
    fn a_game_is_shown_while_it_is_played_until_the_journal_has_it() {
        let (folder, journals) = folder(HEADER);
        let path = folder.path().join("a.journal");
        let (job, outbox, mut watch) = (Job::new(9), Outbox::default(), None);
        let mut playing = || {
            look(&path, "a.journal", &job, &outbox, &mut watch).unwrap();
            watch.as_ref().unwrap().playing.clone()
        };
        write_live(&path, 1, &[(2, &["h2e2"]), (1, &[])]);
        let begun = playing();
        assert_eq!((&begun[0]["number"], &begun[1]["plies"]), (&json!(1), &json!(1)), "the oldest first");
        write_live(&path, 2, &[(1, &["h2e2", "h9g7", "h0g2"]), (2, &["h2e2"])]);
        assert_eq!(playing()[0]["plies"], 3);
        let shown = journals.game("a.journal", 1, true).unwrap();
        assert_eq!((&shown["result"], &shown["ending"], &shown["plies"]), (&json!("*"), &Value::Null, &json!(3)));
        assert_eq!(
            (&shown["evals"][1]["score"], &shown["game"]["nodes"][2]["mv"]),
            (&json!({ "cp": -7 }), &json!("h0g2"))
        );
        // The end of the game is in the journal before another takes its seat.
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(game(1).as_bytes()).unwrap();
        assert_eq!((playing().as_array().unwrap().len(), &playing()[0]["number"]), (1, &json!(2)));
        assert_eq!(journals.game("a.journal", 1, false).unwrap()["result"], "1/2-1/2");
        // A match that was killed leaves the file behind.
        let file = fs::File::options().write(true).open(chuhe_games::live::path_for(&path)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(60)).unwrap();
        assert_eq!(playing(), json!([]));
        assert_eq!(journals.game("a.journal", 2, true).unwrap_err().code, "not_found");
    }

    #[test]
    fn a_journal_is_followed_line_by_line() {
        let (folder, _) = folder(HEADER);
        let path = folder.path().join("a.journal");
        let (job, outbox, mut watch) = (Job::new(9), Outbox::default(), None);
        let sent = |watch: &mut Option<Watch>| {
            look(&path, "a.journal", &job, &outbox, watch).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            outbox.report(1, &Value::Null);
            let text = runtime.block_on(outbox.next()).unwrap();
            if text != "null" {
                runtime.block_on(outbox.next()).unwrap();
            }
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let first = sent(&mut watch);
        assert_eq!((&first["restart"], &first["total"], &first["games"]), (&json!(true), &json!(10), &json!([])));
        assert_eq!(sent(&mut watch), Value::Null, "nothing new");
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        let text = game(1);
        let (half, rest) = text.split_at(100);
        file.write_all(half.as_bytes()).unwrap();
        assert_eq!(sent(&mut watch), Value::Null, "half a line is none");
        file.write_all((rest.to_owned() + &game(2)).as_bytes()).unwrap();
        let more = sent(&mut watch);
        assert_eq!((&more["restart"], more["games"].as_array().unwrap().len()), (&json!(false), 2));
        let standing =
            json!([{ "name": "a", "won": 0, "drawn": 2, "lost": 0 }, { "name": "b", "won": 0, "drawn": 2, "lost": 0 }]);
        assert_eq!((&more["standing"], &more["played"], &more["total"]), (&standing, &json!(2), &json!(10)));
        fs::write(&path, HEADER).unwrap();
        assert_eq!(sent(&mut watch)["restart"], true, "a file that was cut off is read anew");
    }
}
