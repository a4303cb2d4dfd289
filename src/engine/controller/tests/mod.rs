//! Event interleavings: in every order of commands, alarms and ends of workers, each `go` is answered once, and no later than
//! it is due. No thread runs here and no time passes.

mod interleavings;
mod model;
mod uci_queue;
