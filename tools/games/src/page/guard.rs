//! Guard of a server that shows a page: it answers requests with the right host and, where one is wanted, the token of this
//! start, and none of foreign pages. Independent of the server's library.

use std::net::{IpAddr, SocketAddr};

/// Number of random bytes of a token.
const TOKEN_BYTES: usize = 24;

/// Headers of every answer, besides the policy of its page: nothing is embedded, guessed, kept or told to others.
pub const HEADERS: [(&str, &str); 6] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// The rules of one server.
#[derive(Debug)]
pub struct Guard {
    /// Name of the program, for messages and for the cookie.
    program: &'static str,
    token: String,
    address: SocketAddr,
    /// Names by which the server may be reached, in lower case and without a port.
    names: Vec<String>,
}

/// Reason for not answering a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denial {
    /// The host name is not one of this server's: a foreign name may point here.
    Host,
    /// A page of another server asks.
    Origin,
    /// The token is missing or wrong.
    Token,
}

impl Guard {
    /// Makes a token for a server of this program at this address.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(program: &'static str, address: SocketAddr, names: &[String]) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let names = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Ok(Self { program, token, address, names })
    }

    /// Returns the address of the page, without the token.
    pub fn address(&self) -> String {
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            ip => ip,
        };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// Returns the address of the page, with the token.
    pub fn url(&self) -> String {
        format!("{}?token={}", self.address(), self.token)
    }

    /// Returns the text of the answer to a request that is denied.
    pub fn text(&self, denial: Denial) -> String {
        let program = self.program;
        match denial {
            Denial::Host => format!("{program} does not answer to this host name; --host NAME allows one.\n"),
            Denial::Origin => format!("{program} does not answer pages of other servers.\n"),
            Denial::Token => format!(
                "Open the address that {program} has printed: it holds the key of this start.\n\
                 请打开 {program} 显示的网址，其中有本次启动的密钥。\n"
            ),
        }
    }

    /// Returns the header that lets the browser keep the token.
    pub fn cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.token)
    }

    /// The name holds the port: a browser sends cookies to all ports of a host.
    fn cookie_name(&self) -> String {
        format!("{}-{}", self.program, self.address.port())
    }

    /// Checks the host and, where there is one, the origin: all values of these headers; `needs_origin` for requests that only
    /// pages make.
    ///
    /// # Errors
    /// If one of them is missing, occurs twice, or is another server's.
    pub fn check_source<'a>(
        &self,
        hosts: impl Iterator<Item = &'a [u8]>,
        origins: impl Iterator<Item = &'a [u8]>,
        needs_origin: bool,
    ) -> Result<(), Denial> {
        let host = only(hosts).filter(|host| self.is_own(host)).ok_or(Denial::Host)?;
        let mut origins = origins.peekable();
        if origins.peek().is_none() && !needs_origin {
            return Ok(());
        }
        let is_own = only(origins).is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
        if is_own { Ok(()) } else { Err(Denial::Origin) }
    }

    /// Checks the token, given all values of the header for cookies.
    ///
    /// # Errors
    /// If none of the cookies is the token.
    pub fn check_cookie<'a>(&self, cookies: impl Iterator<Item = &'a [u8]>) -> Result<(), Denial> {
        let name = self.cookie_name();
        let cookies = cookies.filter_map(|value| std::str::from_utf8(value).ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let is_right = pairs.any(|(own, token)| own == name && self.is_token(token));
        if is_right { Ok(()) } else { Err(Denial::Token) }
    }

    /// Whether the query of an address brings the token.
    pub fn has_token(&self, query: &str) -> bool {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == "token").is_some_and(|(_, token)| self.is_token(token))
    }

    /// Whether the text is the token; takes the same time wherever they differ.
    fn is_token(&self, text: &str) -> bool {
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
fn only<'a>(mut values: impl Iterator<Item = &'a [u8]>) -> Option<&'a str> {
    let value = std::str::from_utf8(values.next()?).ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, names: &[&str]) -> Guard {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Guard::new("chuhe-board", address.parse().unwrap(), &names).unwrap()
    }

    fn bytes<'a>(values: &'a [&'a str]) -> impl Iterator<Item = &'a [u8]> {
        values.iter().map(|value| value.as_bytes())
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
        let check = |hosts: &[&str], origins: &[&str], needs| own.check_source(bytes(hosts), bytes(origins), needs);
        let host = ["localhost:4000"];
        assert_eq!(check(&host, &[], false), Ok(()));
        assert_eq!(check(&host, &[], true), Err(Denial::Origin));
        assert_eq!(check(&host, &["http://localhost:4000"], true), Ok(()));
        for origin in
            ["null", "http://evil.example", "https://localhost:4000", "http://127.0.0.1:4000", "localhost:4000"]
        {
            assert_eq!(check(&host, &[origin], false), Err(Denial::Origin), "{origin}");
        }
        assert_eq!(check(&[], &["http://localhost:4000"], true), Err(Denial::Host));
        assert_eq!(check(&["localhost:4000"; 2], &[], false), Err(Denial::Host));
        assert_eq!(check(&host, &["http://localhost:4000", "http://evil.example"], false), Err(Denial::Origin));
    }

    #[test]
    fn the_token_is_needed_and_each_start_has_another() {
        let own = guard("127.0.0.1:4000", &[]);
        let cookie = own.cookie();
        let pair = cookie.split(';').next().unwrap();
        let check = |value: &str| own.check_cookie(bytes(&[value]));
        assert_eq!(check(&format!("other=1; {pair}")), Ok(()));
        let other = guard("127.0.0.1:4000", &[]).cookie();
        let shorter = &pair[..pair.len() - 1];
        for value in ["", "chuhe-board-4000=", shorter, other.split(';').next().unwrap(), &pair.replace("4000", "4001")]
        {
            assert_eq!(check(value), Err(Denial::Token), "{value}");
        }
        assert_eq!(own.check_cookie(bytes(&[])), Err(Denial::Token));
        assert!(own.url().starts_with("http://127.0.0.1:4000/?token=") && cookie.contains("SameSite=Strict"));
        assert_ne!(own.token, guard("127.0.0.1:4000", &[]).token);
        let query = own.url().split_once('?').unwrap().1.to_owned();
        assert!(own.has_token(&query) && own.has_token(&format!("a=b&{query}")));
        assert!(!own.has_token("token=") && !own.has_token("") && !own.has_token(&query[..query.len() - 1]));
    }
}
