//! Lines to and from shell scripts, and their ends.

use super::pipes::{MAX_STDERR, Output, Read, forward, read_line};
use super::*;
use std::io::Read as _;
use std::sync::Mutex;

fn shell_command(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn shell(script: &str) -> Process {
    Process::start(shell_command(script), None).unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

#[test]
fn lines_that_arrive_together_have_one_time() {
    let times = |output: &mut dyn io::Read| -> Vec<Instant> {
        let (lines, received) = mpsc::sync_channel(4);
        // It holds up the thread between two lines.
        let listener: Listener = Arc::new(|_, _| thread::sleep(Duration::from_millis(2)));
        forward(BufReader::new(output), &lines, Some(&listener));
        received
            .try_iter()
            .filter_map(|output| if let Output::Line(line) = output { Some(line.read_at) } else { None })
            .collect()
    };
    let [together, apart] = [times(&mut &b"one\ntwo\n"[..]), times(&mut b"one\n".chain(&b"two\n"[..]))];
    assert!(together.len() == 2 && together[0] == together[1]);
    assert!(apart.len() == 2 && apart[0] < apart[1]);
}

#[test]
fn lines_come_back_whatever_bytes_they_hold() {
    let mut process = shell(r"read line; printf 'got %s\r\n\377\376x\nlast' $line");
    process.send(&["hello"]);
    assert_eq!(process.line(soon()).unwrap().text, "got hello");
    assert_eq!(process.line(soon()).unwrap().text, "\u{fffd}\u{fffd}x");
    assert_eq!(process.line(soon()).unwrap().text, "last");
    assert_eq!(process.line(soon()).unwrap_err(), NoLine::Ended("exit status: 0".to_owned()));
}

#[test]
fn exit_codes_and_signals_are_reported_apart() {
    let end = |script| shell(script).line(soon()).unwrap_err();
    assert_eq!(end("exit 3"), NoLine::Ended("exit status: 3".to_owned()));
    assert_eq!(end("kill -SEGV $$"), NoLine::Ended("signal: 11 (SIGSEGV)".to_owned()));
    assert_eq!(end("kill -KILL $$"), NoLine::Killed("signal: 9 (SIGKILL)".to_owned()));
    let last_error_line = NoLine::Ended("exit status: 9, last words: no net".to_owned());
    assert_eq!(end("echo hm >&2; echo no net >&2; echo >&2; exit 9"), last_error_line);
}

#[test]
fn all_complaints_are_kept_up_to_a_bound() {
    let mut process = shell("echo first >&2; echo second >&2; echo done; sleep 60");
    process.line(soon()).unwrap();
    assert_eq!(process.end(), "first\nsecond\n");
    let mut process = shell("yes | head -n 300000 >&2; echo the end >&2; sleep 1; echo done; sleep 60");
    process.line(soon()).unwrap();
    let all = process.end();
    assert!(all.len() <= 2 * MAX_STDERR && all.len() >= MAX_STDERR - 1 && all.ends_with("y\nthe end\n"));
}

#[test]
fn a_line_without_an_end_is_not_kept() {
    let mut process = shell("head -c 1000000 /dev/zero; sleep 60");
    assert_eq!(process.line(soon()).unwrap_err(), NoLine::Overlong);
    assert_eq!(read_line(&mut &vec![b'x'; MAX_LINE][..], &mut Vec::new()), Read::Line);
}

#[test]
fn a_flood_waits_and_dies_with_its_process() {
    let mut process = shell("yes; echo never");
    thread::sleep(Duration::from_millis(20));
    assert_eq!(process.line(soon()).unwrap().text, "y");
    drop(process);
}

#[test]
#[cfg(unix)]
fn what_a_process_has_started_dies_with_it() {
    for (script, end) in [("wait", NoLine::Timeout), ("kill -KILL $$", NoLine::Killed("signal: 9 (SIGKILL)".into()))] {
        let mut process = shell(&format!("sleep 60 & echo $!; {script}"));
        let child = process.line(soon()).unwrap().text;
        let is_alive = || Command::new("kill").args(["-0", &child]).stderr(Stdio::null()).status().unwrap().success();
        let in_a_while = Instant::now() + 3 * POLL_INTERVAL;
        assert_eq!((process.line(in_a_while).unwrap_err(), is_alive()), (end, true), "{script}");
        drop(process);
        // An orphan is reaped by another process.
        let state = || std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let deadline = soon();
        while is_alive() && !state().contains(") Z ") {
            assert!(Instant::now() < deadline, "{script}: {child} lives on");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn nobody_waits_for_a_program_that_does_not_read() {
    let process = shell("sleep 60");
    let long = "x".repeat(1000);
    for _ in 0..2 * MAX_UNSENT {
        process.send(&[&long]);
    }
}

#[test]
fn the_listener_hears_all_three_pipes() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let listener: Listener = Arc::new(move |way, line| ear.lock().unwrap().push((way, line.to_owned())));
    let script = "read line; echo trouble >&2; sleep 1; echo answer";
    let mut process = Process::start(shell_command(script), Some(listener)).unwrap();
    process.send(&["question"]);
    process.line(soon()).unwrap();
    let all = [(Direction::Sent, "question"), (Direction::Error, "trouble"), (Direction::Received, "answer")];
    assert_eq!(*heard.lock().unwrap(), all.map(|(way, line)| (way, line.to_owned())));
}
