//! Guard of the server: it answers requests with the right host and the token of this start, and none of foreign pages.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};

/// Number of random bytes of a token.
const TOKEN_BYTES: usize = 24;

/// The rules of one server.
pub(crate) struct Guard {
    token: String,
    address: SocketAddr,
    /// Names by which the server may be reached, in lower case and without a port.
    names: Vec<String>,
}

/// Reason for not answering a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Denial {
    /// The name of the host is none of this server: a foreign name may point here.
    Host,
    /// A page of another server asks.
    Origin,
    /// The token is missing or wrong.
    Token,
}

impl Denial {
    /// Returns the text of the answer.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Host => "chuhe-board does not answer to this host name; --host NAME allows one.\n",
            Self::Origin => "chuhe-board does not answer pages of other servers.\n",
            Self::Token => {
                "Open the address that chuhe-board has printed: it holds the key of this start.\n\
                 请打开 chuhe-board 显示的网址，其中有本次启动的密钥。\n"
            }
        }
    }
}

impl Guard {
    /// Makes a token for a server at this address.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Ok(Self { token, address, names })
    }

    /// Returns the address of the page, with the token.
    pub(crate) fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            ip => ip,
        };
        format!("http://{}/?token={}", SocketAddr::new(ip, self.address.port()), self.token)
    }

    /// Returns the header that lets the browser keep the token.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.token)
    }

    /// The name holds the port: a browser sends cookies to all ports of a host.
    fn cookie_name(&self) -> String {
        format!("chuhe-board-{}", self.address.port())
    }

    /// Checks the host and, where there is one, the origin; `needs_origin` for requests that only pages make.
    pub(crate) fn check_source(&self, headers: &HeaderMap, needs_origin: bool) -> Result<(), Denial> {
        let host = only(headers, HOST).filter(|host| self.is_own(host)).ok_or(Denial::Host)?;
        match only(headers, ORIGIN) {
            Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
            None if !needs_origin && !headers.contains_key(ORIGIN) => Ok(()),
            _ => Err(Denial::Origin),
        }
    }

    /// Checks the token of the cookie.
    pub(crate) fn check_cookie(&self, headers: &HeaderMap) -> Result<(), Denial> {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let is_right = pairs.any(|(own, token)| own == name && self.is_token(token));
        if is_right { Ok(()) } else { Err(Denial::Token) }
    }

    /// Whether the text is the token; takes the same time wherever they differ.
    pub(crate) fn is_token(&self, text: &str) -> bool {
        let difference = self.token.bytes().zip(text.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
        text.len() == self.token.len() && difference == 0
    }

    /// Whether the name of a host, with its port, is one of this server.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.to_ascii_lowercase();
        let ip: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
        let is_own_ip = ip.is_some_and(|ip| {
            ip == self.address.ip() || ip.is_loopback() && self.is_on_loopback() || self.address.ip().is_unspecified()
        });
        port == Some(self.address.port())
            && (is_own_ip || name == "localhost" && self.is_on_loopback() || self.names.contains(&name))
    }

    fn is_on_loopback(&self) -> bool {
        self.address.ip().is_loopback() || self.address.ip().is_unspecified()
    }
}

/// Returns the value of a header that occurs once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, names: &[&str]) -> Guard {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Guard::new(address.parse().unwrap(), &names).unwrap()
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_own_names_with_the_own_port_are_hosts() {
        let own = guard("127.0.0.1:4000", &["Board.lan"]);
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000", "board.lan:4000"] {
            assert!(own.is_own(host), "{host}");
        }
        for host in
            ["", "evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "10.0.0.1:4000", "localhost.evil:4000", ":4000"]
        {
            assert!(!own.is_own(host), "{host}");
        }
        let lan = guard("10.0.0.5:80", &[]);
        assert!(
            lan.is_own("10.0.0.5") && lan.is_own("10.0.0.5:80") && !lan.is_own("localhost") && !lan.is_own("10.0.0.6")
        );
        let any = guard("0.0.0.0:4000", &[]);
        assert!(any.is_own("10.0.0.5:4000") && any.is_own("localhost:4000") && !any.is_own("evil.example:4000"));
    }

    #[test]
    fn foreign_origins_are_denied_and_pages_need_one() {
        let own = guard("127.0.0.1:4000", &[]);
        let check = |pairs: &[(HeaderName, &str)], needs| own.check_source(&headers(pairs), needs);
        let host = (HOST, "localhost:4000");
        assert_eq!(check(std::slice::from_ref(&host), false), Ok(()));
        assert_eq!(check(std::slice::from_ref(&host), true), Err(Denial::Origin));
        assert_eq!(check(&[host.clone(), (ORIGIN, "http://localhost:4000")], true), Ok(()));
        for origin in
            ["null", "http://evil.example", "https://localhost:4000", "http://127.0.0.1:4000", "localhost:4000"]
        {
            assert_eq!(check(&[host.clone(), (ORIGIN, origin)], false), Err(Denial::Origin), "{origin}");
        }
        assert_eq!(check(&[(ORIGIN, "http://localhost:4000")], true), Err(Denial::Host));
        let mut twice = headers(&[host.clone(), (ORIGIN, "http://localhost:4000")]);
        twice.append(ORIGIN, "http://evil.example".parse().unwrap());
        assert_eq!(own.check_source(&twice, false), Err(Denial::Origin));
    }

    #[test]
    fn the_token_is_needed_and_each_start_has_another() {
        let own = guard("127.0.0.1:4000", &[]);
        let cookie = own.cookie();
        let pair = cookie.split(';').next().unwrap();
        let check = |value: &str| own.check_cookie(&headers(&[(COOKIE, value)]));
        assert_eq!(check(&format!("other=1; {pair}")), Ok(()));
        let other = guard("127.0.0.1:4000", &[]).cookie();
        let shorter = &pair[..pair.len() - 1];
        for value in ["", "chuhe-board-4000=", shorter, other.split(';').next().unwrap(), &pair.replace("4000", "4001")]
        {
            assert_eq!(check(value), Err(Denial::Token), "{value}");
        }
        assert_eq!(own.check_cookie(&HeaderMap::new()), Err(Denial::Token));
        assert!(own.url().starts_with("http://127.0.0.1:4000/?token=") && cookie.contains("SameSite=Strict"));
        assert_ne!(own.token, guard("127.0.0.1:4000", &[]).token);
    }
}
