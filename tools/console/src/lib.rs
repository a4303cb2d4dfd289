//! Terminal support for long-running tools: [`live`] shows progress, [`ending`] handles the exit, and [`words`] and
//! [`choice`] parse command-line words. It contains no logic of the engine or of a particular tool.
#![forbid(unsafe_code)]

pub mod choice;
pub mod ending;
pub mod live;
pub mod words;
