//! Start of an engine's process: its program, its first lines, and the listeners to its output.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use super::failure::{Failure, FailureClass};
use super::spec::EngineSpec;
use crate::process::{Direction, Listener, Log, Process};

/// Starts the process of an engine, and sends its first lines.
pub(crate) fn spawn(spec: &EngineSpec, log: Option<&Log>) -> Result<Process, Failure> {
    let program = program(spec);
    let mut command = Command::new(&program);
    command.args(&spec.args);
    if let Some(dir) = &spec.dir {
        command.current_dir(dir);
    }
    let cannot = |what: &Path, why: &str, error| {
        Failure::new(FailureClass::NoHandshake, format!("{} cannot be {why}: {error}", what.display()))
    };
    let errors = match &spec.stderr {
        None => None,
        Some(path) => Some(to_file(path).map_err(|error| cannot(path, "written", error))?),
    };
    let process =
        Process::start(command, listener(spec, log, errors)).map_err(|error| cannot(&program, "started", error))?;
    if !spec.first_lines.is_empty() {
        process.send(&spec.first_lines);
    }
    Ok(process)
}

/// Returns a listener that passes on all lines to the log, and those of the standard error to its file.
fn listener(spec: &EngineSpec, log: Option<&Log>, errors: Option<Listener>) -> Option<Listener> {
    let log = log.map(|log| -> Listener {
        let (log, name) = (Arc::clone(log), spec.name.clone());
        Arc::new(move |way, line| log(&name, way, line))
    });
    match (log, errors) {
        (Some(log), Some(errors)) => Some(Arc::new(move |way, line| {
            log(way, line);
            errors(way, line);
        })),
        (one, other) => one.or(other),
    }
}

/// Returns a listener that appends the lines of the standard error to a file. A full disk costs these lines and nothing else.
fn to_file(path: &Path) -> std::io::Result<Listener> {
    let file = Mutex::new(File::options().create(true).append(true).open(path)?);
    Ok(Arc::new(move |way, line| {
        if way == Direction::Error {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }))
}

/// Resolves the program: in the engine's directory, then in the current one, then in the search path.
fn program(spec: &EngineSpec) -> PathBuf {
    let beside = spec.dir.as_ref().map(|dir| dir.join(&spec.command));
    let here = Path::new(&spec.command);
    let mut places = beside.iter().map(PathBuf::as_path).chain(std::iter::once(here));
    let found = places.find(|place| place.is_file()).and_then(|place| place.canonicalize().ok());
    found.unwrap_or_else(|| spec.command.clone())
}
