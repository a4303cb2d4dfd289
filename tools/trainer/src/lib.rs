//! Trainer of Chuhe's network (NNUE) on the games of `chuhe-selfplay`.
//!
//! Modules, from the highest level down:
//!
//! * [`cli`] parses the command line. [`train`] runs the epochs, [`quantise`] converts trained parameters to integers, and
//!   [`compare`] measures the difference between two networks. [`refit`] and [`wdl`] fit constants in the engine's [`source`],
//!   and [`ladder`] plots the strength of successive networks.
//! * [`checkpoint`] stores the state of a run in a file, [`course`] has its rates and targets, [`curve`] plots its losses with
//!   [`plot`], [`runs`] compares runs, and [`progress`] reports the progress of one.
//! * [`optimiser`] updates the parameters by the gradients that [`gradient`] computes; both give the same bits for any number of
//!   threads.
//! * [`grow`] initialises a network from another one; [`buckets`] reads and writes the choice of output buckets.
//! * [`parameters`] defines the layout of the parameters, [`data`] reads games as positions ([`sample`]), [`scale`] fits the
//!   scale of scores to results, and [`math`] has the functions that otherwise differ between machines.
#![forbid(unsafe_code)]

pub mod buckets;
pub mod checkpoint;
mod chinese;
pub mod cli;
pub mod compare;
pub mod course;
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
pub mod runs;
pub mod sample;
pub mod scale;
pub mod source;
pub mod train;
pub mod wdl;
