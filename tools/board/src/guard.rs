//! Guard of the server, as `chuhe_games::page` has it, with the headers of this server's library.

use std::net::SocketAddr;

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};
use chuhe_games::page;

pub(crate) use chuhe_games::page::Denial;

/// The rules of one server.
pub(crate) struct Guard(page::Guard);

impl Guard {
    /// Makes a token for a server at this address.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Result<Self, getrandom::Error> {
        page::Guard::new("chuhe-board", address, names).map(Self)
    }

    /// Returns the address of the page, with the token.
    pub(crate) fn url(&self) -> String {
        self.0.url()
    }

    /// Returns the text of the answer to a request that is denied.
    pub(crate) fn text(&self, denial: Denial) -> String {
        self.0.text(denial)
    }

    /// Returns the header that lets the browser keep the token.
    pub(crate) fn cookie(&self) -> String {
        self.0.cookie()
    }

    /// Checks the host and, where there is one, the origin; `needs_origin` for requests that only pages make.
    pub(crate) fn check_source(&self, headers: &HeaderMap, needs_origin: bool) -> Result<(), Denial> {
        self.0.check_source(values(headers, HOST), values(headers, ORIGIN), needs_origin)
    }

    /// Checks the token of the cookie.
    pub(crate) fn check_cookie(&self, headers: &HeaderMap) -> Result<(), Denial> {
        self.0.check_cookie(values(headers, COOKIE))
    }

    /// Whether the query of an address brings the token.
    pub(crate) fn has_token(&self, query: &str) -> bool {
        self.0.has_token(query)
    }
}

fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &[u8]> {
    headers.get_all(name).into_iter().map(|value| value.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_occur_twice_are_all_checked() {
        let guard = Guard::new("127.0.0.1:4000".parse().unwrap(), &[]).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(HOST, "localhost:4000".parse().unwrap());
        headers.insert(ORIGIN, "http://localhost:4000".parse().unwrap());
        assert_eq!(guard.check_source(&headers, true), Ok(()));
        headers.append(ORIGIN, "http://evil.example".parse().unwrap());
        assert_eq!(guard.check_source(&headers, false), Err(Denial::Origin));
        assert_eq!(guard.check_cookie(&headers), Err(Denial::Token));
        headers.insert(COOKIE, guard.cookie().split(';').next().unwrap().parse().unwrap());
        assert_eq!(guard.check_cookie(&headers), Ok(()));
    }
}
