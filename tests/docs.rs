//! The manual and the other pages: links, headings, paths, examples, and the same content in both languages.
#![cfg(feature = "engine")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use chuhe::engine::event::{Dialect, OutputFormat, Reply};
use chuhe::engine::options::{Language, markdown};
use chuhe::protocol::lines;
use chuhe::score::Score;
use support::markdown::{Block, Page, ROOT};

const BOOKS: [&str; 2] = ["docs/en/src", "docs/zh/src"];

/// Folders whose files are named in code.
const FOLDERS: [&str; 8] = ["ci/", "src/", "tests/", "tools/", "book-tools/", "examples/", "benches/", "docs/"];

/// Every page for users and developers.
fn pages() -> Vec<Page> {
    let tools = fs::read_dir(Path::new(ROOT).join("tools")).unwrap().map(|entry| entry.unwrap().file_name());
    let readmes = tools.map(|tool| Path::new("tools").join(tool).join("README.md"));
    let readmes = readmes.chain([PathBuf::from("book-tools/README.md")]);
    let readmes = readmes.filter(|path| Path::new(ROOT).join(path).exists()).map(Page::read);
    let folders = ["", "docs"].into_iter().chain(BOOKS).flat_map(Page::all_in);
    readmes.chain(folders).collect()
}

/// Pages of the repository's web site beside its files, as a README at the top links them.
const FORGE: [&str; 2] = ["../../issues", "../../releases"];

fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::ParentDir => assert!(path.pop(), "{path:?} leaves the repository"),
            part => path.push(part),
        }
        path
    })
}

/// Returns the error in a link of a page.
fn error_of(link: &str, page: &Page, pages: &BTreeMap<PathBuf, Page>) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") || FORGE.contains(&link) {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.path.parent().expect("a page is in a folder");
    let path = if file.is_empty() { page.path.clone() } else { without_dots(&folder.join(file)) };
    if !Path::new(ROOT).join(&path).exists() {
        return Some("no such file");
    }
    let is_picture = path.extension().is_some_and(|extension| extension == "png" || extension == "svg");
    if BOOKS.iter().any(|book| page.path.starts_with(book)) && !path.starts_with("docs") && !is_picture {
        return Some("a book does not contain this file");
    }
    let has_anchor = || pages.get(&path).is_some_and(|page| page.anchors().iter().any(|found| found == anchor));
    (!anchor.is_empty() && !has_anchor()).then_some("no such heading")
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages: BTreeMap<_, _> = pages().into_iter().map(|page| (page.path.clone(), page)).collect();
    let mut errors = vec![];
    for page in pages.values() {
        for link in page.links() {
            errors.extend(error_of(&link, page, &pages).map(|error| format!("{}: {link}: {error}", page.name())));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert!(error_of("missing.md", &pages[Path::new("README.md")], &pages).is_some());
    assert!(error_of("GUIS.md#no-such-heading", &pages[Path::new("README.md")], &pages).is_some());
}

#[test]
fn every_named_path_of_the_repository_exists() {
    let mut errors = vec![];
    for page in pages() {
        let code = page.code();
        let words = code.split(|c: char| c.is_whitespace() || "`'\"(),;=:|".contains(c));
        for word in words.map(|word| word.trim_end_matches('.')) {
            let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder));
            let is_pattern = word.contains(['*', '<', '{', '$', '?', '[']) || word.contains("...");
            if is_path && !is_pattern && !Path::new(ROOT).join(word).exists() {
                errors.push(format!("{}: {word}", page.name()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn both_languages_have_the_same_pages_with_the_same_parts() {
    let [english, chinese] = BOOKS.map(|book| {
        let outline = |page: Page| {
            let levels: Vec<usize> = page.headings().into_iter().map(|(level, _)| level).collect();
            let kinds: Vec<String> = page.blocks().into_iter().map(|block| block.kind).collect();
            (page.path.file_name().unwrap().to_owned(), (levels, kinds))
        };
        Page::all_in(book).into_iter().map(outline).collect::<BTreeMap<_, _>>()
    });
    assert!(english.keys().eq(chinese.keys()), "{:?}\n{:?}", english.keys(), chinese.keys());
    for (name, parts) in &english {
        assert_eq!(parts, &chinese[name], "headings and blocks of {name:?}");
    }
}

#[test]
fn every_page_is_in_the_summary_and_has_one_title() {
    for book in BOOKS {
        let (summaries, pages): (Vec<_>, Vec<_>) =
            Page::all_in(book).into_iter().partition(|page| page.path.ends_with("SUMMARY.md"));
        let mut listed = summaries[0].links();
        listed.sort();
        let names: Vec<_> = pages.iter().map(|page| page.path.file_name().unwrap().to_string_lossy()).collect();
        assert_eq!(listed, names, "{book}");
        for page in pages {
            let titles = page.headings().iter().filter(|(level, _)| *level == 1).count();
            assert!(titles == 1 && page.text.starts_with("# "), "{} has {titles} titles", page.name());
        }
    }
}

#[test]
fn the_manual_has_the_table_of_options() {
    for (book, language) in BOOKS.into_iter().zip([Language::English, Language::Chinese]) {
        let (page, table) = (Page::read(Path::new(book).join("options.md")), markdown(language));
        assert!(page.text.contains(&table), "{}: run ci/docs.sh options; the table is\n{table}", page.name());
    }
}

#[test]
fn the_scores_of_decided_games_are_those_of_ucci() {
    let number = |score| {
        let format = OutputFormat { dialect: Dialect::Ucci, ..OutputFormat::default() };
        let line = lines(&Reply::StaticValue(score), &format);
        line.trim().rsplit(' ').next().and_then(|word| word.parse::<i32>().ok()).expect("the score is the last word")
    };
    let known = number(Score::known_win_in(0)) / 100 * 100;
    let [banned, mate] = [-Score::banned_in(0), Score::mate_in(0)].map(number);
    for book in BOOKS {
        let page = Page::read(Path::new(book).join("ucci.md"));
        for number in [known, banned, mate] {
            let shown = format!("{},{:03}", number / 1000, number % 1000);
            assert!(page.text.contains(&format!("| {shown} ")), "{}: no row for {shown}", page.name());
        }
    }
}

/// Returns a block without what differs between the languages: comments of scripts.
fn comparable(block: &Block) -> Vec<String> {
    let own = |line: &String| if block.kind == "sh" { without_comment(line) } else { line.clone() };
    block.lines.iter().map(own).collect()
}

fn without_comment(line: &str) -> String {
    line.split(" #").next().unwrap_or_default().trim_end().to_owned()
}

#[test]
fn both_languages_show_the_same_commands_and_output() {
    let mut pairs: Vec<[Page; 2]> = vec![["README.md", "README.zh-CN.md"].map(Page::read)];
    pairs.extend(Page::all_in(BOOKS[0]).into_iter().map(|page| {
        let other = Path::new(BOOKS[1]).join(page.path.file_name().unwrap());
        [page, Page::read(other)]
    }));
    for [english, chinese] in pairs {
        for (block, other) in english.blocks().iter().zip(chinese.blocks()) {
            // A test of its own compares a block with another test's output, in both languages.
            if block.note("held by ").is_none() {
                assert_eq!(comparable(block), comparable(&other), "{}", chinese.name());
            }
            assert!(other.notes.is_empty() || other.notes == block.notes, "{}: notes differ", chinese.name());
        }
    }
}

/// Blocks of the type `text` that nothing compares: the page, the first words, and the reason.
const FREE_TEXTS: [(&str, &str, &str); 5] = [
    ("CONTRIBUTING.md", "Reduce late quiet moves", "the pattern of a commit's text"),
    ("ARCHITECTURE.md", " main.rs ", "a drawing of the layers, which tests/architecture.rs holds"),
    ("ARCHITECTURE.md", " stdin reader ", "a drawing of the threads"),
    ("docs/en/src/network.md", " magic ", "a format, which the tests of tools/selfplay/src/sealed.rs hold"),
    ("tools/gobang/README.md", "> ", "a transcript, which tools/gobang/tests/transcripts.rs plays"),
];

/// Returns the pages whose blocks are held; the Chinese ones have the same blocks.
fn held_pages() -> Vec<Page> {
    let is_chinese = |page: &Page| page.path.starts_with(BOOKS[1]) || page.path.ends_with("README.zh-CN.md");
    pages().into_iter().filter(|page| !is_chinese(page)).collect()
}

/// Returns what is wrong with a block that is not run.
fn fault_of(page: &Page, block: &Block) -> Option<String> {
    let first = block.lines.first().map_or("", String::as_str);
    match block.kind.as_str() {
        "console" | "sh" => None,
        "text" if block.note("form of ").is_some() => None,
        "text" if FREE_TEXTS.iter().any(|(name, start, _)| *name == page.name() && first.starts_with(start)) => None,
        kind if kind == "text" || block.note("held by ").is_some() => {
            match block.note("held by ").map(|test| (test, fs::read_to_string(Path::new(ROOT).join(test)))) {
                Some((_, Ok(source))) if source.contains(&*page.path.file_name().unwrap().to_string_lossy()) => None,
                Some((test, _)) => Some(format!("{test} does not read this page")),
                None => Some("a text that nothing holds".to_owned()),
            }
        }
        "diff" => fault_of_change(block),
        "sql" => {
            let scripts = ["ci/duckdb.sh", "ci/spark.sh"].map(|script| Path::new(ROOT).join(script));
            let is_run = |script| fs::read_to_string(script).unwrap().contains("'/^```sql$/");
            (!scripts.iter().all(is_run)).then(|| "a query that no script runs".to_owned())
        }
        "toml" => fault_of_manifest(block),
        "python" | "rust,ignore" => match block.note("lines of ") {
            Some(source) => block.error_of_quotation(source),
            None => Some("no note names the file with these lines".to_owned()),
        },
        kind => Some(format!("blocks of the type {kind:?} are held by nothing")),
    }
}

/// Returns the first line of a change that contradicts its files: either all its new lines are there, or none is; lines that it
/// removes are there only in the second case.
fn fault_of_change(block: &Block) -> Option<String> {
    let (mut text, mut is_made) = (String::new(), None);
    for line in &block.lines {
        let path = line.strip_prefix(' ').and_then(|rest| rest.split([' ', ',']).next()).unwrap_or_default();
        if FOLDERS.iter().any(|folder| path.starts_with(folder)) {
            text = fs::read_to_string(Path::new(ROOT).join(path)).ok()?;
            continue;
        }
        let bare = line.get(1..).unwrap_or_default().trim();
        let is_there = text.lines().any(|known| known.trim() == bare);
        let is_right = match line.chars().next() {
            Some('+') => *is_made.get_or_insert(is_there) == is_there,
            Some('-') => *is_made.get_or_insert(!is_there) != is_there,
            _ => is_there,
        };
        if !is_right {
            return Some(format!("{line:?} is {}in the file", if is_there { "already " } else { "not " }));
        }
    }
    None
}

/// Returns the complaint of cargo about dependencies that a program would have.
fn fault_of_manifest(block: &Block) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let manifest = format!("[package]\nname = \"user\"\nversion = \"0.1.0\"\n\n{}\n", block.lines.join("\n"));
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    let words = ["metadata", "--offline", "--no-deps", "--format-version", "1"];
    let output = Command::new(env!("CARGO")).args(words).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let is_without_features = said.contains("\"name\":\"chuhe\"") && said.contains("\"uses_default_features\":false");
    (!is_without_features).then(|| format!("cargo reads something else: {output:?}"))
}

#[test]
fn every_block_is_held() {
    let mut faults = vec![];
    for page in held_pages() {
        let found = page.blocks().into_iter().filter_map(|block| Some((fault_of(&page, &block)?, block)));
        faults.extend(found.map(|(fault, block)| format!("{}: {:?}: {fault}", page.name(), block.lines.first())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_block_that_is_wrong_is_found() {
    let fault = |text: &str| {
        let page = Page { path: PathBuf::from("made-up.md"), text: text.to_owned() };
        fault_of(&page, &page.blocks()[0])
    };
    for (text, is_right) in [
        ("```text\nfree\n```", false),
        ("<!-- form of the output above -->\n```text\nfree\n```", true),
        ("<!-- held by tests/docs.rs -->\n```text\nfree\n```", true),
        ("<!-- held by tests/perft.rs -->\n```text\nfree\n```", false),
        ("```lua\nfree\n```", false),
        ("```rust,ignore\nfn free() {}\n```", false),
        ("<!-- lines of examples/perft.rs -->\n```rust,ignore\n    Ok(()) // the end\n```", true),
        ("<!-- lines of examples/perft.rs -->\n```rust,ignore\nErr(())\n```", false),
        ("```diff\n src/bench.rs\n pub const DEPTH: u32 = 16;\n+const NEW: u32 = 1;\n```", true),
        ("```diff\n src/bench.rs\n-pub const DEPTH: u32 = 15;\n+pub const DEPTH: u32 = 17;\n```", false),
        ("```diff\n src/bench.rs\n+pub const DEPTH: u32 = 16;\n+const NEW: u32 = 1;\n```", false),
        ("```diff\n src/bench.rs\n pub const DEPTH: u32 = 17;\n```", false),
        ("```toml\n[dependencies]\nchuhe = { path = \"../chuhe\" }\n```", false),
    ] {
        assert_eq!(fault(text).is_none(), is_right, "{text}: {:?}", fault(text));
    }
}

#[cfg(all(unix, feature = "cli"))]
mod examples {
    use super::support::held;
    use super::support::help::Helps;
    use super::support::manual::{Script, Workplace, binaries, form, has_tools};
    use super::support::session::is_shown;
    use super::*;

    /// Runs the blocks of a page, and returns their errors.
    fn errors_of(page: &Page) -> Vec<String> {
        let mut workplace = Workplace::new();
        let results: Vec<_> = page.blocks().iter().map_while(|block| workplace.errors_of(block)).collect();
        results.into_iter().flatten().map(|error| format!("{}: {error}", page.name())).collect()
    }

    #[test]
    fn every_command_runs_and_prints_what_is_shown() {
        let errors: Vec<String> = held_pages().iter().flat_map(errors_of).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    }

    #[test]
    fn every_script_is_run_or_held() {
        let pages = held_pages();
        let blocks = pages.iter().flat_map(|page| page.blocks().into_iter().map(move |block| (page.name(), block)));
        let scripts = blocks.filter(|(_, block)| block.kind == "sh");
        let errors = scripts.filter_map(|(name, block)| Some(format!("{name}: {}", Script::read(&block).err()?)));
        let errors: Vec<String> = errors.collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }

    /// Options of other programs in the text.
    const FOREIGN: [&str; 5] = ["--endpoint", "--features", "--stockfish-command", "-engines", "-x"];

    #[test]
    fn every_command_and_option_in_the_text_exists() {
        let mut helps = Helps::default();
        let mut errors = vec![];
        for page in pages() {
            for span in page.spans() {
                errors.extend(helps.error_of(&span).map(|error| format!("{}: {error}", page.name())));
                if has_tools() {
                    let unknown = helps.unknown_option(&span, &FOREIGN);
                    errors.extend(unknown.map(|word| format!("{}: no program has {word}", page.name())));
                }
            }
        }
        assert!(errors.is_empty(), "{}", errors.join("\n"));
        assert!(helps.error_of("chuhe bench --nonsense").is_some_and(|error| error.contains("--nonsense")));
        assert!(helps.error_of("chuhe bensh 3").is_some() && helps.error_of("chuhe bench [DEPTH]").is_none());
    }

    #[test]
    fn the_examples_of_the_library_run() {
        for (example, words) in [
            ("analyse", ["3k5/9/9/9/9/9/9/9/4R4/5K3 w", "2"].as_slice()),
            ("perft", &["2"]),
            ("probe", &[]),
            ("selfplay", &["20"]),
        ] {
            let program = binaries().join("examples").join(example);
            if has_tools() {
                let output =
                    Command::new(&program).args(words).output().unwrap_or_else(|error| panic!("{program:?}: {error}"));
                assert!(output.status.success() && !output.stdout.is_empty(), "{output:?}");
            }
        }
    }

    #[test]
    fn commands_that_nothing_runs_are_found() {
        for (command, is_held) in [
            ("cargo test", true),
            ("cargo build --release --workspace", true),
            ("cargo build --workspace --features nonsense", false),
            ("cargo run --release --example analyse -- [FEN [DEPTH]]", true),
            ("cargo run --example nonsense", false),
            ("cargo test --test rules loops_of_random_games", true),
            ("cargo test --test rules no_such_name", false),
            ("cargo bench --bench nonsense", false),
            ("ci/match.sh fairy 100", true),
            ("ci/match.sh nonsense 100", false),
            ("ci/nonsense.sh", false),
            ("git clean", false),
        ] {
            assert_eq!(held::fault(command).is_none(), is_held, "{command}: {:?}", held::fault(command));
        }
    }

    fn page(text: &str) -> Page {
        Page { path: PathBuf::from("made-up.md"), text: text.to_owned() }
    }

    #[test]
    fn an_example_with_another_output_is_found() {
        for (text, errors) in [
            ("$ chuhe perft 1 | tail -n 1\n44 nodes ... Mnodes/s", 0),
            ("$ chuhe perft 1 | tail -n 1\n45 nodes ... Mnodes/s", 1),
            ("$ chuhe perft \\\n    1 | head -n 1\n...", 0),
            ("$ cargo run\nnot run", 0),
            ("$ cargo runn\nnot known", 1),
            ("$ chuhe\n> uci\nid name Chuhe ...\n...\nuciok\n> isready\nreadyok\n> quit", 0),
            ("$ chuhe\n> uci\n...\nuciok\n> isready\nnotready", 1),
        ] {
            assert_eq!(errors_of(&page(&format!("```console\n{text}\n```\n"))).len(), errors, "{text}");
        }
    }

    #[test]
    fn a_script_that_fails_is_found() {
        for (text, errors) in [
            ("```sh\nchuhe perft 1  # a comment\ncargo test\n```", 0),
            ("```sh\nchuhe perft one\nchuhe perft 1\n```", 1),
            ("<!-- ends with 2 -->\n```sh\nchuhe perft one\n```", 0),
            ("<!-- shorter: 20 => 1 -->\n```sh\nchuhe perft \\\n    20\n```", 0),
            ("<!-- shorter: 30 => 1 -->\n```sh\nchuhe perft 2\n```", 1),
            ("```sh\nrm -r everything\n```", 1),
            ("```sh\ncp README.md other && cargo build --features nonsense\n```", 1),
        ] {
            assert_eq!(errors_of(&page(text)).len(), errors, "{text}");
        }
    }

    #[test]
    fn forms_are_those_of_lines_with_other_figures() {
        for (shown, said, is_same) in [
            ("score -16 pv h9g7 b2d2", "score 5 pv a0a1", true),
            ("games 1-0 {Black mates}", "games 1/2-1/2 {Draw by repetition}", true),
            ("hash ec9db2939b83483c278687cfd9317c5d", "hash 51faff4a2f83262e3a3634388d030cec", true),
            ("Elo 43.7 +/- 338.4, 1,077", "Elo inf +/- nan, 2", true),
            ("score 5 time 3", "score 5", false),
            ("12 nodes", "12 games", false),
        ] {
            assert_eq!(form(shown) == form(said), is_same, "{} | {}", form(shown), form(said));
        }
    }

    #[test]
    fn gaps_stand_for_any_lines_and_any_text() {
        for (shown, said, fits) in [
            (vec!["a", "...", "d"], vec!["a", "b", "c", "d"], true),
            (vec!["a", "...", "d"], vec!["a", "d"], true),
            (vec!["a", "...", "d"], vec!["a", "d", "e"], false),
            (vec!["...", "b", "..."], vec!["a", "b"], true),
            (vec!["...", "b", "..."], vec!["a", "c"], false),
            (vec![], vec!["a"], false),
            (vec!["n ... x ... 2"], vec!["n 1 x 3 2"], true),
            (vec!["n ... x ... 2"], vec!["n 1 y 3 2"], false),
            (vec!["a ...c"], vec!["a b"], false),
        ] {
            assert_eq!(is_shown(&shown, &said), fits, "{shown:?} {said:?}");
        }
    }
}
