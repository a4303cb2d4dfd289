//! Engines of the pages: the user's file of them, and their processes.

mod annotation;
mod job;
mod list;
mod observer;
mod search;
mod spec;
mod worker;

pub(crate) use job::{Job, Processes};
pub(crate) use list::EngineList;
pub(crate) use spec::{ENGINE_ARGUMENT, Use};
pub(crate) use worker::{Environment, Task, Worker};
