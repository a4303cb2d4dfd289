//! cli
mod words;
