//! Seats of a match: each has a game under way, and all of them are written to a file beside the journal for programs that show
//! the match. Games only note their moves here; another thread writes the file, so that no engine waits for the disk.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chuhe::file;
use chuhe_games::live::{self, LiveGame, LiveMove};

/// Interval at which the file is rewritten if a game has changed.
const INTERVAL: Duration = Duration::from_millis(250);

/// Interval at which it is rewritten in any case, so that readers know that the match is running.
const SIGN_OF_LIFE: Duration = Duration::from_secs(4);

/// Place of one of the concurrent games.
#[derive(Debug)]
pub(crate) struct Seat {
    /// Number from 1.
    number: u32,
    content: Mutex<Content>,
}

#[derive(Debug, Default)]
struct Content {
    game: Option<LiveGame>,
    /// Whether the game has changed since it was last written.
    is_new: bool,
}

impl Seat {
    /// Returns this number of seats.
    pub(crate) fn all(count: usize) -> Vec<Self> {
        (1..).take(count).map(|number| Self { number, content: Mutex::default() }).collect()
    }

    /// Begins a game in place of the previous one; its seat and its times are set here.
    pub(crate) fn begin(&self, game: LiveGame) {
        let now = now();
        self.change(|content| {
            content.game = Some(LiveGame { seat: self.number, started_at_ms: now, moved_at_ms: now, ..game });
        });
    }

    /// Adds a move to the game, and sets the clocks of Red and Black.
    pub(crate) fn add(&self, mv: LiveMove, clocks_ms: [Option<u64>; 2]) {
        self.change(|content| {
            if let Some(game) = &mut content.game {
                game.moves.push(mv);
                (game.moved_at_ms, game.clocks_ms) = (now(), clocks_ms);
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut Content)) {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut content);
        content.is_new = true;
    }

    /// Returns the game if it has changed since the last call.
    fn news(&self) -> Option<LiveGame> {
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut content.is_new).then(|| content.game.clone()).flatten()
    }
}

/// Returns the time, in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Keeps the file beside a journal up to date until `ended` is closed, then removes it. The match goes on without the file if it
/// cannot be written.
pub(crate) fn keep_written(journal: &Path, seats: &[Seat], ended: &Receiver<()>) {
    let Ok(mut file) = LiveFile::create(live::path_for(journal)) else { return };
    loop {
        // A full disk may have room again later.
        let _ = file.update(seats);
        if ended.recv_timeout(INTERVAL) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    drop(file.file);
    let _ = fs::remove_file(&file.path);
}

/// File of the games under way.
struct LiveFile {
    path: PathBuf,
    file: File,
    /// Number of times that it has been written.
    number: u64,
    /// Games as JSON, by seat; empty before the first game of a seat.
    lines: Vec<String>,
    /// Whether it has not been written since a game has changed.
    is_old: bool,
    written: Instant,
}

impl LiveFile {
    fn create(path: PathBuf) -> io::Result<Self> {
        let file = file::open_with(&path, File::options().create(true).write(true).truncate(true))?;
        Ok(Self { path, file, number: 0, lines: Vec::new(), is_old: true, written: Instant::now() })
    }

    /// Writes the games if one of them has changed, or nothing has been written for a while.
    fn update(&mut self, seats: &[Seat]) -> io::Result<()> {
        self.lines.resize(seats.len(), String::new());
        for (seat, line) in seats.iter().zip(&mut self.lines) {
            if let Some(game) = seat.news() {
                *line = serde_json::to_string(&game)?;
                self.is_old = true;
            }
        }
        if self.is_old || self.written.elapsed() >= SIGN_OF_LIFE {
            let lines: Vec<&String> = self.lines.iter().filter(|line| !line.is_empty()).collect();
            self.number += 1;
            let text = live::text(self.number, lines.into_iter());
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(text.as_bytes())?;
            self.file.set_len(u64::try_from(text.len()).unwrap_or(u64::MAX))?;
            (self.is_old, self.written) = (false, Instant::now());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    fn game(number: u32) -> LiveGame {
        LiveGame {
            seat: 0,
            number,
            round: 1,
            red: "A".into(),
            black: "B".into(),
            start_fen: chuhe::board::START_FEN.into(),
            opening: None,
            time_control: String::new(),
            started_at_ms: 0,
            moved_at_ms: 0,
            clocks_ms: [None; 2],
            moves: vec![],
        }
    }

    fn mv(text: &str) -> LiveMove {
        LiveMove { mv: text.into(), eval: None, depth: None, nodes: None, time_ms: 1 }
    }

    fn games(journal: &Path) -> Vec<LiveGame> {
        live::read(journal).unwrap().expect("the file is there").games
    }

    #[test]
    fn the_file_has_the_games_of_all_seats_and_their_moves() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("a.journal");
        let seats = Seat::all(3);
        let mut file = LiveFile::create(live::path_for(&journal)).unwrap();
        file.update(&seats).unwrap();
        assert_eq!(games(&journal), []);
        seats[0].begin(game(1));
        seats[2].begin(game(2));
        (0..50).for_each(|_| seats[2].add(mv("h2e2"), [Some(5), None]));
        file.update(&seats).unwrap();
        let read = games(&journal);
        assert_eq!(read.iter().map(|game| (game.seat, game.number)).collect::<Vec<_>>(), [(1, 1), (3, 2)]);
        assert_eq!((read[1].moves.len(), read[1].clocks_ms), (50, [Some(5), None]));
        assert!(read[1].started_at_ms > 1_700_000_000_000 && read[1].moved_at_ms >= read[1].started_at_ms);
        // A shorter text leaves nothing of the longer one.
        seats[2].begin(game(3));
        file.update(&seats).unwrap();
        assert_eq!(games(&journal)[1].moves, []);
        let number = file.number;
        file.update(&seats).unwrap();
        assert_eq!(file.number, number, "nothing has changed");
        file.written -= SIGN_OF_LIFE;
        file.update(&seats).unwrap();
        assert_eq!(file.number, number + 1, "the match is running");
    }

    #[test]
    fn the_file_is_gone_after_the_match() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("a.journal");
        let (seats, (end, ended)) = (Seat::all(1), mpsc::channel());
        thread::scope(|scope| {
            let (journal, seats) = (&journal, &seats);
            let writer = scope.spawn(move || keep_written(journal, seats, &ended));
            seats[0].begin(game(1));
            let is_there = || live::read(journal).is_ok_and(|live| live.is_some_and(|live| live.games.len() == 1));
            while !is_there() {
                assert!(!writer.is_finished());
                thread::sleep(Duration::from_millis(5));
            }
            drop(end);
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // Without a folder there is no file, and nothing else happens.
        keep_written(&folder.path().join("none/a.journal"), &seats, &mpsc::channel().1);
    }
}
