//! The manual and the other pages: links, headings, paths, examples, and the same content in both languages.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use chuhe::engine::event::{Dialect, OutputFormat, Reply};
use chuhe::engine::options::{Language, markdown};
use chuhe::protocol::lines;
use chuhe::score::Score;
use support::markdown::{Page, ROOT};

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
    if link.contains("://") || link.starts_with("mailto:") {
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

#[cfg(unix)]
mod examples {
    use std::env;
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::support::session::{Shown, is_shown};
    use super::*;

    const PROGRAMS: [&str; 6] =
        ["chuhe", "chuhe-arena", "book-tools", "chuhe-endgame", "chuhe-selfplay", "chuhe-trainer"];

    /// Environment variable with which the tools are run as well; they must have been built.
    const WITH_TOOLS: &str = "CHUHE_DOCS_TOOLS";

    fn binaries() -> &'static Path {
        Path::new(env!("CARGO_BIN_EXE_chuhe")).parent().expect("the program is in a folder")
    }

    /// Returns a folder that looks like the repository after a build.
    fn scratch() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(ROOT).unwrap().map(Result::unwrap) {
            let name = entry.file_name();
            if name != "target" && name != ".git" {
                symlink(entry.path(), folder.path().join(name)).unwrap();
            }
        }
        let release = folder.path().join("target/release");
        fs::create_dir_all(&release).unwrap();
        for program in PROGRAMS {
            symlink(binaries().join(program), release.join(program)).unwrap();
        }
        folder
    }

    /// Runs the examples of a page, and returns their errors.
    fn errors_of(page: &Page) -> Vec<String> {
        let blocks = page.blocks().into_iter().filter(|block| block.kind == "console");
        let commands: Vec<Shown> = blocks.flat_map(|block| Shown::read(&block.lines)).collect();
        let is_ours = |shown: &&Shown| shown.programs().any(|program| PROGRAMS.contains(&program));
        let has_tools = env::var_os(WITH_TOOLS).is_some();
        // Later commands may read what a tool has written.
        let can_run = |shown: &&Shown| has_tools || shown.programs().all(|program| !PROGRAMS[1..].contains(&program));
        let folder = scratch();
        let path = folder.path().join("target/release");
        let results = commands.iter().take_while(can_run).filter(is_ours).map(|shown| shown.run(folder.path(), &path));
        results.filter_map(Result::err).map(|error| format!("{}: {error}", page.name())).collect()
    }

    #[test]
    fn every_example_prints_what_is_shown() {
        let errors: Vec<String> = pages().iter().flat_map(errors_of).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    }

    #[test]
    fn an_example_with_another_output_is_found() {
        let page = |text: &str| Page { path: PathBuf::from("made-up.md"), text: format!("```console\n{text}\n```\n") };
        for (text, errors) in [
            ("$ chuhe perft 1 | tail -n 1\n44 nodes ... Mnodes/s", 0),
            ("$ chuhe perft 1 | tail -n 1\n45 nodes ... Mnodes/s", 1),
            ("$ chuhe perft \\\n    1 | head -n 1\n...", 0),
            ("$ cargo run\nnot run", 0),
            ("$ chuhe\n> uci\nid name Chuhe ...\n...\nuciok\n> isready\nreadyok\n> quit", 0),
            ("$ chuhe\n> uci\n...\nuciok\n> isready\nnotready", 1),
        ] {
            assert_eq!(errors_of(&page(text)).len(), errors, "{text}");
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
