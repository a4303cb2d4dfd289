//! Teaches Chuhe's network by the games of `chuhe-selfplay`.
//!
//! Highest first:
//!
//! * [`cli`] knows the words of the command line; [`train`] goes through the epochs, [`quantise`] makes integers of what was
//!   learnt, [`compare`] holds two networks against each other, [`refit`] and [`wdl`] fit numbers in the engine's
//!   [`source`], [`ladder`] draws what networks have gained.
//! * [`checkpoint`] keeps what is learnt so far in a file, [`curve`] draws the losses, as [`plot`] draws charts, [`progress`] tells how far it is.
//! * [`optimiser`] changes the parameters by their gradients, [`gradient`] finds these; both are the same to the bit whatever
//!   the number of threads.
//! * [`grow`] lets learning begin with what a network knows.
//! * [`parameters`] knows where which number lies, [`data`] the games of which [`sample`] is one position, [`scale`] how
//!   results depend on scores, [`math`] the functions that differ elsewhere from machine to machine.
#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod cli;
pub mod compare;
pub mod curve;
pub mod data;
pub mod gradient;
pub mod grow;
pub mod ladder;
pub mod math;
pub mod optimiser;
pub mod parameters;
pub mod plot;
pub mod progress;
pub mod quantise;
pub mod refit;
pub mod sample;
pub mod scale;
pub mod source;
pub mod train;
pub mod wdl;
