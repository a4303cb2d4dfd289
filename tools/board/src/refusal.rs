//! Errors that are sent to the page: a code that the page translates, and details in English.

use serde_json::{Value, json};

/// Reason for not doing what a request asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) detail: String,
}

/// Maximum number of characters of a detail, which may hold text of engines and files.
const LONGEST: usize = 600;

impl Refusal {
    pub(crate) fn new(code: &'static str, detail: impl ToString) -> Self {
        Self { code, detail: detail.to_string().chars().take(LONGEST).collect() }
    }

    /// Returns the message, with the number of the request under `key`: `re` for an answer, `job` for a running job.
    pub(crate) fn message(&self, key: &str, id: Option<u64>) -> Value {
        json!({ key: id, "type": "error", "code": self.code, "detail": self.detail })
    }
}

pub(crate) type Answer = Result<Value, Refusal>;
