//! The page of a book in a browser: `cargo test -p book-tools --test browser -- --ignored`, with `chromium` or the browser that
//! `CHROMIUM` names.

use std::fs;
use std::path::Path;
use std::process::Command;

const BROWSER: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--virtual-time-budget=3000",
    "--window-size=500,1000",
    "--dump-dom",
];

/// Returns the elements of a page of three games after `script` has run.
fn elements_after(fragment: &str, script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = "h2e2 h9g7 h0g2 i9h9 1-0\nb2e2 b9c7 h0g2 1/2-1/2\nc3c4 c6c5 1-0\n";
    fs::write(path("games.txt"), games).unwrap();
    let run = |words: &str| {
        let tool =
            Command::new(env!("CARGO_BIN_EXE_book-tools")).args(words.split(' ')).current_dir(folder.path()).output();
        assert!(tool.unwrap().status.success(), "{words}");
    };
    run("build games.txt -o a.book --one-sided --weights loss=1");
    run("page a.book -o a.html");
    let page = fs::read_to_string(path("a.html")).unwrap();
    fs::write(path("a.html"), format!("{page}<script>{script}</script>")).unwrap();
    browse(folder.path(), &format!("file://{}{fragment}", path("a.html").display()))
}

fn browse(profile: &Path, address: &str) -> String {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
    let profile = format!("--user-data-dir={}", profile.join("profile").display());
    let output =
        Command::new(browser).args(BROWSER).arg(profile).arg(address).output().expect("the browser can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the title, in which scripts leave their answers.
fn title(elements: &str) -> &str {
    elements.split("<title>").nth(1).unwrap().split('<').next().unwrap()
}

#[test]
#[ignore = "needs a Chromium browser"]
fn arrows_of_two_cannons_are_apart() {
    let script = "const boxes = [...document.querySelectorAll('.tip')].map((tip) => tip.getBBox());
        const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
        document.title = boxes.length + ' ' + boxes.some((a, i) => boxes.some((b, j) => i < j && meet(a, b)));";
    // Both cannons to the middle, and both pawns.
    assert_eq!(title(&elements_after("", script)), "4 false");
}

#[test]
#[ignore = "needs a Chromium browser"]
fn no_column_is_cut_on_a_phone() {
    // No window of the browser is that narrow, so the body is. The words and numbers are as long as they get.
    let script = "document.body.style.maxWidth = '420px';
        const cells = document.querySelectorAll('#moves tbody tr:first-child td');
        ['+-+1', 'not in the book', '100 %', '-29999 cp', '99'].forEach((text, index) => { cells[index].textContent = text; });
        const table = document.getElementById('moves');
        document.title = String(table.offsetWidth <= table.parentElement.clientWidth);";
    assert_eq!(title(&elements_after("", script)), "true");
}

#[test]
#[ignore = "needs a Chromium browser"]
fn moves_and_pieces_are_drawn_as_the_reader_chooses() {
    let choose = |name: &str, value: &str| {
        format!(
            "{{ const s = document.getElementById('choice-{name}'); s.value = '{value}'; s.dispatchEvent(new Event('change')) }}"
        )
    };
    for (notation, first, second) in
        [("iccs", "h2-e2", "h9-g7"), ("wxf", "C2=5", "H8+7"), ("chinese", "炮二平五", "马８进７")]
    {
        let elements = elements_after("#h2e2h9g7", &choose("notation", notation));
        let path = elements.split("id=\"path\"").nth(1).unwrap().split("</nav>").next().unwrap();
        assert!(path.contains(first) && path.contains(second), "{path}");
        assert!(elements.contains("data-line=\"h2e2 h9g7\""));
    }
    let letters = elements_after("", &choose("pieces", "letter"));
    assert_eq!((letters.matches("href=\"#letter-").count(), letters.matches("href=\"#character-").count()), (32, 0));
}
