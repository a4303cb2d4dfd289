//! The server: connections, routes, and the end of everything.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, SET_COOKIE};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use chuhe_games::page::HEADERS;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::App;
use crate::guard::{Denial, Guard};
use crate::page;
use crate::refusal::Refusal;
use crate::session;
use crate::settings::{HEAD_TIMEOUT, MOST_CONNECTIONS, MOST_MESSAGE, MOST_UPLOAD, Settings};

/// Time for a whole request, the upload of a file included.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Header of every answer, besides those of the guard.
const POLICY: [(&str, &str); 1] = [("content-security-policy", page::POLICY)];

/// A server that listens and does not answer yet.
pub(crate) struct Server {
    listener: TcpListener,
    guard: Arc<Guard>,
    app: Arc<App>,
}

impl Server {
    /// Opens files and the socket.
    ///
    /// # Errors
    /// If the address cannot be used, or the file of engines is not valid.
    pub(crate) async fn open(settings: Settings, report: impl Fn(&str)) -> Result<Self> {
        let listener = TcpListener::bind(settings.listen).await;
        let listener = listener.with_context(|| format!("cannot listen at {}", settings.listen))?;
        let guard = Guard::new(listener.local_addr()?, &settings.hosts).context("no random numbers")?;
        let app = App::open(settings, report)?;
        Ok(Self { listener, guard: Arc::new(guard), app: Arc::new(app) })
    }

    /// Returns the address of the page, with the token.
    pub(crate) fn url(&self) -> String {
        self.guard.url()
    }

    /// Answers until the process ends.
    pub(crate) async fn run(self) {
        let service = TowerToHyperService::new(routes(self.app, self.guard));
        let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    // A connection too many is closed, so that others are not kept waiting.
                    let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
                    tokio::spawn(connection(stream, service.clone(), permit));
                }
                // The system has no more descriptors, or the client has gone.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

/// Serves one request of a connection, or one websocket.
async fn connection(stream: TcpStream, service: TowerToHyperService<Router>, _permit: OwnedSemaphorePermit) {
    // Answers are small and wanted at once.
    drop(stream.set_nodelay(true));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(64 << 10);
    let served = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    // An error means that the client broke off; it has been answered or has gone.
    drop(tokio::time::timeout(REQUEST_TIMEOUT, served).await);
}

fn routes(app: Arc<App>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/ws", get(websocket))
        .route("/seat", get(seat))
        .route("/upload", post(upload))
        .route("/", get(|| async { file("") }))
        .route("/{*name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .layer(DefaultBodyLimit::max(MOST_UPLOAD))
        .layer(middleware::from_fn_with_state(guard, guarded))
        .with_state(app)
}

/// Lets a request pass if host, origin and token are right; adds the headers of every answer.
async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match check(&guard, &request) {
        Ok(is_first) => {
            let mut response = next.run(request).await;
            if is_first && let Ok(cookie) = HeaderValue::from_str(&guard.cookie()) {
                response.headers_mut().insert(SET_COOKIE, cookie);
            }
            response
        }
        Err(denial) => plain(StatusCode::FORBIDDEN, guard.text(denial)),
    };
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        // Connections are few, so none is kept for a request that may never come.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    for (name, value) in POLICY.into_iter().chain(HEADERS) {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Checks a request; returns whether it is the first one, which brings the token in its address.
fn check(guard: &Guard, request: &Request) -> Result<bool, Denial> {
    let path = request.uri().path();
    let needs_origin = request.method() == Method::POST || path == "/ws";
    guard.check_source(request.headers(), needs_origin)?;
    if path == "/" && guard.has_token(request.uri().query().unwrap_or_default()) {
        return Ok(true);
    }
    guard.check_cookie(request.headers()).map(|()| false)
}

fn plain(status: StatusCode, text: impl Into<String>) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text.into()).into_response()
}

fn file(name: &str) -> Response {
    match page::find(name) {
        Some(page::PageFile { kind, bytes }) => ([(CONTENT_TYPE, kind)], bytes.into_owned()).into_response(),
        None => plain(StatusCode::NOT_FOUND, "not found\n"),
    }
}

fn no_seat() -> Response {
    plain(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n")
}

/// Tells a page whose websocket has been refused whether there is a place for it, as a browser hides the status of the refusal.
async fn seat(State(app): State<Arc<App>>) -> Response {
    if app.has_seat() { StatusCode::NO_CONTENT.into_response() } else { no_seat() }
}

async fn websocket(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Some(seat) = app.seat() else { return no_seat() };
    let upgrade = upgrade.max_message_size(MOST_MESSAGE).max_frame_size(MOST_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        session::run(socket, app).await;
        drop(seat);
    })
}

/// Parameters of an upload.
#[derive(serde::Deserialize)]
struct Upload {
    #[serde(default)]
    name: String,
}

async fn upload(Query(Upload { name }): Query<Upload>, body: Bytes) -> Response {
    let read = tokio::task::spawn_blocking(move || session::upload(&name, body.into())).await;
    let message = read.unwrap_or_else(|error| Refusal::new("unreadable", error).message("re", None));
    ([(CONTENT_TYPE, "application/json")], message.to_string()).into_response()
}
