//! What tools that work for hours do alike at a terminal: [`live`] tells how far they are, [`ending`] how they end, and
//! [`words`] how their words are written. It knows neither the engine nor any tool.
#![forbid(unsafe_code)]

pub mod ending;
pub mod live;
pub mod words;
