//! Pages of other servers in the same browser, and more pages than there are places.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

use crate::driver::{Browser, Server};

/// Serves an empty page at every path of a port of this computer, and returns the port.
fn foreign_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // The browser opens connections ahead on which it asks nothing.
            thread::spawn(|| answer(stream));
        }
    });
    port
}

/// Answers one request with an empty page.
fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>";
    let _ = reader.get_mut().write_all(page.as_bytes());
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_foreign_page_in_the_same_browser_reaches_nothing() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let board = server.address.split("/?").next().unwrap().to_owned();
    let file = server.folder.path().join("board.toml");
    let foreign = foreign_server();
    // Another port of this host is the same site for cookies; another name of it is not.
    for name in ["127.0.0.1", "localhost"] {
        browser.send("Page.navigate", json!({ "url": format!("http://{name}:{foreign}/") }));
        browser.wait(&format!("location.port === '{foreign}' && document.body"));
        let found = browser.eval(&format!(
            "(async () => {{
                const board = {board:?};
                const tried = (promise) => promise.then((answer) => 'read ' + answer.status, () => 'refused');
                const socket = (address) => new Promise((done) => {{
                    const socket = new WebSocket(address);
                    socket.onopen = () => {{ socket.send('{{\"id\":1,\"type\":\"engines_save\",\"engines\":[{{\"name\":\"x\",\"command\":\"/bin/true\"}}]}}'); done('open'); }};
                    socket.onerror = () => done('refused');
                }});
                const post = {{ method: 'POST', mode: 'no-cors', credentials: 'include', body: 'h2e2' }};
                const script = await new Promise((done) => {{
                    const element = document.createElement('script');
                    element.src = board + '/main.js';
                    element.onload = () => done('loaded');
                    element.onerror = () => done('refused');
                    document.head.append(element);
                }});
                const frame = await new Promise((done) => {{
                    const element = document.createElement('iframe');
                    element.onload = () => {{ try {{ done(element.contentDocument ? 'own' : 'closed'); }} catch {{ done('closed'); }} }};
                    element.src = board + '/';
                    document.body.append(element);
                }});
                return [await socket(board.replace('http', 'ws') + '/ws'), await tried(fetch(board + '/', {{ credentials: 'include' }})),
                    await tried(fetch(board + '/main.js', {{ credentials: 'include' }})), await tried(fetch(board + '/upload?name=a.pgn', post)), script, frame];
            }})()"
        ));
        assert_eq!(found, json!(["refused", "refused", "refused", "refused", "refused", "closed"]), "from {name}");
        assert!(!file.exists(), "no engine was added");
    }
    // The board's own page works on.
    browser.go(&board);
    browser.wait("chuhe.page.link.isUp");
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_page_too_many_is_told_so_and_gets_the_next_place() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let more = browser.eval(
        "Promise.all(Array.from({ length: 7 }, () => new Promise((done) => {
            const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws');
            (window.others ??= []).push(socket);
            socket.onmessage = () => done(true);
        })))",
    );
    assert_eq!(more.as_array().map(Vec::len), Some(7));
    // Its own place goes to another page while it connects again.
    browser.eval(
        "(() => { const socket = chuhe.page.link.socket;
            socket.addEventListener('close', () => others.push(new WebSocket(location.origin.replace('http', 'ws') + '/ws')));
            socket.close(); })()",
    );
    browser.wait("document.getElementById('connection').textContent.includes('Too many pages')");
    browser.eval("others.forEach((socket) => socket.close())");
    browser.wait("chuhe.page.link.isUp && document.getElementById('connection').hidden");
    assert!(
        browser.errors.iter().all(|error| error.contains("503") || error.contains("WebSocket")),
        "{:?}",
        browser.errors
    );
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_page_without_the_key_says_which_address_to_open() {
    let server = Server::start();
    let board = server.address.split("/?").next().unwrap().to_owned();
    let mut browser = Browser::start("en");
    browser.send("Page.navigate", json!({ "url": board }));
    browser.wait("document.body?.textContent.includes('Open the address that chuhe-board has printed')");
    browser.go(&server.address);
    // The key leaves the address bar, and so the history.
    assert_eq!(browser.eval("location.search"), Value::from(""));
}
