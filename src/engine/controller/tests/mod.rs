//! Event interleavings: in every order of commands, alarms and ends of workers, each `go` is answered once, and no later than
//! it is due. No thread runs here and no time passes.

mod interleavings;
mod model;
mod uci_queue;

use std::ffi::OsString;

use super::super::event::{Command, Dialect};
use model::{Scene, Stage};

#[test]
fn work_on_a_large_table_does_not_keep_quit_waiting() {
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        let scene = Scene::all().find(|scene| scene.dialect == dialect).unwrap();
        let mut stage = Stage::new(scene, 1);
        for (name, value) in [("hashsize", "2"), ("newgame", ""), ("clearhash", ""), ("repetition", "asian")] {
            stage.ear.1.borrow_mut().clear();
            stage.command(Command::SetOption { name: name.to_owned(), value: OsString::from(value) });
            // The watchdog of the program ends it where such work lasts after `quit`.
            assert_eq!(*stage.ear.1.borrow(), [true, false], "{name}");
        }
    }
}
