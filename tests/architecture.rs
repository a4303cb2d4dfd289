//! The folder tree is the architecture: which modules may import which, where unsafe code is allowed, and how long files
//! and functions may grow.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use support::impls::{calls_between_impls, circle};
use support::source::{Source, words};

type Layers = &'static [&'static [&'static str]];

/// Layers of the crate, lowest first. A module may import from lower layers only, not from its own or a higher one.
const LAYERS: Layers = &[
    &["splitmix", "file", "pod", "io", "sync", "help"],
    &["smp"],
    &["score"],
    &["board"],
    &["eval", "rules", "book", "endgame", "notation"],
    &["search"],
    &["bench", "genfens", "referee"],
    &["engine"],
    &["protocol", "logging"],
    &["commands"],
    &["terminal"],
    &["dialogue"],
];

/// Layers inside `engine/`, lowest first.
const ENGINE_LAYERS: Layers = &[
    &["event"],
    &["draw_policy"],
    &["workers", "count", "options", "game", "wdl", "tb_root"],
    &["active", "resources", "plan"],
    &["choice"],
    &["controller"],
];

/// Layers of the tools' libraries and of the arena, each with its folder below `tools/`.
const TOOLS: [(&str, Layers); 4] = [
    ("engines", &[&["watchdog", "conformance", "protocol", "zoo"], &["process"], &["player", "compliance"]]),
    (
        "games",
        &[
            &["encoding", "game", "json", "page", "parts", "replace"],
            &["outputs", "tree"],
            &["journal"],
            &["record"],
            &["pgn", "xqf", "ccbridge", "dhtmlxq", "che", "mxq", "played", "list", "live"],
            &["pieces"],
            &["files", "openings"],
        ],
    ),
    (
        "board",
        &[
            &["refusal", "settings", "score", "naming", "page", "guard", "chinese", "outbox"],
            &["line"],
            &["request"],
            &["tree", "positions", "knowledge", "engines"],
            &["files", "export", "journals"],
            &["app"],
            &["session"],
            &["server"],
            &["cli"],
        ],
    ),
    (
        "arena",
        &[
            &["made_up", "machine", "speed", "swiss", "seats"],
            &["averages", "stats", "schedule", "stop", "journal", "game"],
            &["sprt", "attempts"],
            &["settings"],
            &["screen", "tables"],
            &["output", "report"],
            &["fastchess", "live", "ranking", "checks"],
            &["standing"],
            &["outputs", "judging", "epd_file", "pgn_file", "summary", "standing_data"],
            &["preparation"],
            &["tournament", "spsa", "viewing", "merging"],
            &["serving"],
            &["cli"],
        ],
    ),
];

/// Files that may contain unsafe code, without their extension; the last one is a folder or a prefix.
const UNSAFE_FILES: [&str; 5] = ["smp/table/memory.rs", "smp/time_slice.rs", "file.rs", "pod.rs", "eval/nnue/simd"];

const LONGEST_FILE: usize = 450;
const LONGEST_FUNCTION: usize = 150;

fn sources() -> Vec<Source> {
    let sources = Source::all_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    assert!(sources.iter().any(|source| source.path == "lib.rs"), "this is the engine's source");
    sources
}

/// Lists the imports among the children of `parent` that do not point to a lower layer.
fn upward_imports(sources: &[Source], parent: &[&str], layers: Layers) -> Vec<String> {
    let level = |name: &str| layers.iter().position(|layer| layer.contains(&name));
    let mut wrong = vec![];
    for source in sources {
        let module = source.module();
        let Some(&[name, ..]) = module.strip_prefix(parent) else { continue };
        let Some(here) = level(name) else {
            wrong.push(format!("{} belongs to no layer", source.path));
            continue;
        };
        for path in source.paths() {
            let Some(used) = path.iter().zip(parent).all(|(a, b)| a == b).then(|| path.get(parent.len())).flatten()
            else {
                continue;
            };
            // A name outside the layers is defined or re-exported by the parent, which lies above all its children.
            if used != name && level(used).is_none_or(|there| there >= here) {
                wrong.push(format!("{} names {}", source.path, path.join("::")));
            }
        }
    }
    wrong.dedup();
    wrong
}

/// Lists the files of each folder that are part of an import cycle, not counting tests. A folder's own file declares the
/// others and so lies above them: none of them may import what it defines or re-exports.
fn circles(sources: &[Source]) -> Vec<String> {
    let test_modules: Vec<_> = sources.iter().flat_map(Source::test_modules).collect();
    let is_test = |module: &[&str]| {
        test_modules.iter().any(|test| module.len() >= test.len() && test.iter().zip(module).all(|(a, b)| a == b))
    };
    let modules: Vec<Vec<String>> =
        sources.iter().map(|source| source.module().into_iter().map(str::to_owned).collect()).collect();
    let mut folders: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    let mut wrong = vec![];
    for source in sources.iter().filter(|source| !is_test(&source.module())) {
        let module = source.module();
        for depth in 1..module.len() {
            let (folder, name) = (&module[..depth], module[depth]);
            for path in source.without_tests().paths() {
                if path.len() <= depth || !path.iter().zip(folder).all(|(a, b)| a == b) || path[depth] == name {
                    continue;
                }
                if modules.iter().any(|other| other.len() > depth && other[..=depth] == path[..=depth]) {
                    let names = folders.entry(folder.iter().map(|&name| name.to_owned()).collect()).or_default();
                    names.entry(name.to_owned()).or_default().insert(path[depth].clone());
                } else {
                    wrong.push(format!("{} names {}, which lies above it", source.path, path.join("::")));
                }
            }
        }
    }
    for (folder, names) in &folders {
        // A module that imports none of the remaining modules is in no cycle.
        let mut left = names.clone();
        while let Some(free) =
            left.iter().find(|(_, used)| used.iter().all(|name| !left.contains_key(name))).map(|(name, _)| name.clone())
        {
            left.remove(&free);
        }
        if !left.is_empty() {
            wrong.push(format!("in {}: {left:?} name each other", folder.join("::")));
        }
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

/// Every crate of the workspace, by its folder, without the fuzzers, which are a workspace of their own.
const CRATES: [&str; 14] = [
    "",
    "book-tools",
    "tools/arena",
    "tools/board",
    "tools/capi",
    "tools/console",
    "tools/endgame",
    "tools/engines",
    "tools/games",
    "tools/gobang",
    "tools/python",
    "tools/selfplay",
    "tools/talk",
    "tools/trainer",
];

/// Reads the sources of all crates; the paths begin with the crate's folder.
fn crates() -> Vec<(&'static str, Vec<Source>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    CRATES.into_iter().map(|folder| (folder, Source::all_below(&root.join(folder).join("src")).unwrap())).collect()
}

/// Maximum number of files with inherent `impl` blocks of one type, all in one folder.
const MOST_FILES_OF_A_TYPE: usize = 3;

/// Types with more files, each of which holds one subject, and the reason.
const WIDE_TYPES: [(&str, &str); 4] = [
    ("Controller of engine/controller/state.rs", "state, phases, the start of a search and its answer, a file each"),
    ("Position of board/position.rs", "each file of board/ answers one kind of question about a position"),
    ("Worker of search/worker.rs", "each file of search/ is one part of the recursion over one stack"),
    ("Worker of search/mod.rs", "the same in tools/gobang"),
];

/// Whether all files lie in one folder; a `mod.rs` also counts as a file of the folder above.
fn share_folder(files: &[&str]) -> bool {
    let folder = |file: &str| file.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let folders = |file: &str| [Some(folder(file)), file.strip_suffix("/mod.rs").map(folder)].into_iter().flatten();
    let candidates = files.first().into_iter().flat_map(|file| folders(file));
    candidates.into_iter().any(|shared| files.iter().all(|file| folders(file).any(|folder| folder == shared)))
}

/// Lists the types whose `impl` blocks are spread over too many files or folders, or whose files call each other's methods
/// in a circle. The recursion of the search is the one circle that is meant.
fn spread_types(sources: &[Source]) -> Vec<String> {
    let without_tests: Vec<Source> = sources.iter().map(Source::without_tests).collect();
    let mut wrong = vec![];
    for (name, calls) in calls_between_impls(&without_tests) {
        let files: Vec<&str> = calls.keys().map(String::as_str).collect();
        let is_wide = WIDE_TYPES.iter().any(|&(wide, _)| wide == name);
        if (calls.len() > MOST_FILES_OF_A_TYPE || !share_folder(&files)) && !is_wide {
            wrong.push(format!("{name} is implemented in {:?}", calls.keys()));
        }
        let files = circle(&calls);
        if !files.is_empty() && !name.starts_with("Worker of search/") {
            wrong.push(format!("{name}: {files:?} call each other's methods"));
        }
    }
    wrong
}

#[test]
fn a_type_is_implemented_in_few_files_that_call_one_way() {
    for (folder, sources) in crates() {
        assert!(!sources.is_empty(), "{folder} has sources");
        assert_none(&spread_types(&sources));
    }
}

#[test]
fn calls_through_shared_impls_are_arrows() {
    let found = |files: &[(&str, &str)]| {
        spread_types(&files.iter().map(|(path, text)| Source::new(path, text)).collect::<Vec<_>>()).len()
    };
    let a = ("a/a.rs", "pub struct T<'a>(&'a u8); impl<'a> T<'a> { fn a(&self) { self.b(); } }");
    assert_eq!(found(&[a, ("a/b.rs", "impl T<'_> { fn b(&self) {} }")]), 0, "one way");
    assert_eq!(found(&[a, ("a/b.rs", "impl T<'_> { fn b(&self) { if x { Self::a(self); } } }")]), 1, "a circle");
    assert_eq!(found(&[a, ("a/b.rs", "impl Show for T<'_> { fn b(&self) { self.a(); } }")]), 0, "a trait");
    assert_eq!(found(&[a, ("a/b.rs", "#[cfg(test)] impl T<'_> { fn b(&self) { self.a(); } }")]), 0, "a test");
    assert_eq!(found(&[a, ("b/b.rs", "impl T<'_> { fn b(&self) {} }")]), 1, "another folder");
    assert_eq!(found(&[a, ("b/b.rs", "struct T; impl T { fn b(&self) {} }")]), 0, "another type of that name");
    let more = [("a/b.rs", "impl T<'_> {}"), ("a/c.rs", "impl T<'_> {}"), ("a/d.rs", "impl T<'_> {}")];
    assert_eq!(found(&[&[a][..], &more].concat()), 1, "four files");
}

#[test]
fn inside_a_folder_no_files_name_each_other_in_circles() {
    for (_, sources) in crates() {
        assert_none(&circles(&sources));
    }
}

#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn modules_name_only_layers_below_them() {
    assert_none(&upward_imports(&sources(), &[], LAYERS));
}

#[test]
fn inside_the_engine_imports_point_down_to_the_events() {
    assert_none(&upward_imports(&sources(), &["engine"], ENGINE_LAYERS));
}

#[test]
fn inside_the_tools_imports_point_down_too() {
    for (tool, layers) in TOOLS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools").join(tool).join("src");
        let sources = Source::all_below(&folder).unwrap();
        assert!(sources.len() > 10, "this is the source of {tool}");
        assert_none(&upward_imports(&sources, &[], layers));
    }
}

/// Returns the workspace crates that a crate of this workspace depends on.
fn own_dependencies(folder: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    let text = std::fs::read_to_string(path).unwrap();
    assert!(!text.contains("path = \"../"), "{folder}: what lies elsewhere is not in its package");
    let dependencies = text.split_once("[dependencies]").expect("every tool uses the engine").1;
    let names = dependencies.lines().filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| name.starts_with("chuhe") || *name == "book-tools").map(str::to_owned).collect()
}

#[test]
fn tools_are_leaves_beside_each_other() {
    assert_eq!(own_dependencies("tools/engines"), ["chuhe"]);
    assert_eq!(own_dependencies("tools/games"), ["chuhe"]);
    assert_eq!(own_dependencies("tools/console"), ["chuhe"]);
    assert_eq!(own_dependencies("tools/gobang"), ["chuhe"]);
    assert_eq!(own_dependencies("tools/capi"), ["chuhe"]);
    let libraries = ["chuhe", "chuhe-console", "chuhe-engines", "chuhe-games"];
    let tools =
        ["arena", "board", "endgame", "python", "selfplay", "talk", "trainer"].map(|tool| format!("tools/{tool}"));
    for leaf in tools.iter().map(String::as_str).chain(["book-tools"]) {
        // The trainer reads the games of the generator.
        let reads = |name: &str| leaf == "tools/trainer" && name == "chuhe-selfplay";
        let mut wrong = own_dependencies(leaf);
        wrong.retain(|name| !libraries.contains(&&**name) && !reads(name));
        assert!(wrong.is_empty(), "{leaf} uses {wrong:?}");
    }
}

/// `tools/gobang` uses only the game-neutral core of the engine, its random number generator and its help on command lines.
#[test]
fn the_second_game_knows_nothing_of_the_first() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/gobang/src");
    let sources = Source::all_below(&folder).unwrap();
    let named = |source: &Source| -> Vec<String> {
        let parts = source.code.split("chuhe::").skip(1);
        parts.filter_map(|part| words(part).next().map(|(_, word)| word.to_owned())).collect()
    };
    let all: BTreeSet<String> = sources.iter().flat_map(named).collect();
    assert_eq!(all.iter().collect::<Vec<_>>(), ["help", "smp", "splitmix"]);
}

#[test]
fn only_listed_places_may_be_unsafe() {
    let sources = sources();
    let wrong: Vec<_> = sources
        .iter()
        .filter(|source| !UNSAFE_FILES.iter().any(|allowed| source.path.starts_with(allowed)))
        .filter(|source| {
            let code = source.code.replace("deny(unsafe_code)", "");
            words(&code).any(|(_, word)| matches!(word, "unsafe" | "unsafe_code"))
        })
        .map(|source| format!("{} is unsafe or allows it", source.path))
        .collect();
    assert_none(&wrong);
    let root = sources.iter().find(|source| source.path == "lib.rs").unwrap();
    assert!(root.code.contains("#![deny(unsafe_code)]"), "the crate denies unsafe code");
}

/// Receivers of crossbeam channels call `sched_yield` several times before they sleep, and on a busy machine each call
/// gives up the processor.
#[test]
fn no_thread_waits_in_a_channel_of_crossbeam() {
    let sources = sources();
    let channel = ["crossbeam::channel", "crossbeam::{channel", "crossbeam_channel"];
    let wrong: Vec<_> = sources
        .iter()
        .filter(|source| channel.iter().any(|name| source.code.contains(name)))
        .map(|source| format!("{} uses a channel of crossbeam", source.path))
        .collect();
    assert_none(&wrong);
    assert!(sources.iter().any(|source| source.code.contains("use std::sync::mpsc")), "there are channels");
}

#[test]
fn every_file_says_first_what_it_is() {
    let sources = sources();
    let silent = sources.iter().filter(|source| !source.text.starts_with("//! "));
    assert_none(&silent.map(|source| format!("{} does not begin with //!", source.path)).collect::<Vec<_>>());
}

#[test]
fn no_file_is_long() {
    let sources = sources();
    let long = sources.iter().filter(|source| source.text.lines().count() > LONGEST_FILE);
    assert_none(&long.map(|source| format!("{} is too long", source.path)).collect::<Vec<_>>());
}

/// A small file is a room without a subject, except the page of a folder (`mod.rs`) and these few.
const SHORTEST_FILE: usize = 40;
const MOST_SHORT_FILES: usize = 9;

#[test]
fn few_files_are_short_and_folders_have_one_style() {
    let sources = sources();
    let is_page = |source: &&Source| source.path.ends_with("mod.rs");
    let short = sources.iter().filter(|source| !is_page(source) && source.text.lines().count() < SHORTEST_FILE);
    let short: Vec<_> = short.map(|source| source.path.clone()).collect();
    assert!(short.len() <= MOST_SHORT_FILES, "{} short files: {short:?}", short.len());
    // A folder's own file is its `mod.rs`; beside a file of its name there may be its tests alone.
    let paths: BTreeSet<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    let beside = paths.iter().filter(|path| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        paths.contains(format!("{folder}.rs").as_str()) && !path.ends_with("/tests.rs")
    });
    assert_none(&beside.map(|path| format!("{path} belongs to a folder without mod.rs")).collect::<Vec<_>>());
}

#[test]
fn no_function_is_long() {
    let mut wrong = vec![];
    for source in &sources() {
        for (name, line, length) in source.functions() {
            if length > LONGEST_FUNCTION {
                wrong.push(format!("{}:{line}: {name} has {length} lines", source.path));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn a_circle_is_found_and_tests_make_none() {
    let found = |files: &[(&str, &str)]| {
        let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
        circles(&sources).len()
    };
    let c = ("board/c.rs", "");
    for circle in [
        [("board/a.rs", "use super::b::B;"), ("board/b.rs", "use crate::board::a::A;"), c],
        [
            ("board/a.rs", "use super::b::B;"),
            ("board/b.rs", "use super::c;"),
            ("board/c.rs", "fn f(a: super::a::A) {}"),
        ],
        [("board/a.rs", "use super::deep::x::X;"), ("board/deep/x.rs", "use crate::board::a::A;"), c],
        [("board/a.rs", "use super::Position;"), ("board/mod.rs", "mod a; pub struct Position;"), c],
        [("a/b/mod.rs", "use super::c::C;"), ("a/c.rs", "use super::b::B;"), c],
    ] {
        assert_eq!(found(&circle), 1, "{circle:?}");
    }
    let user = ("board/a.rs", "use super::b::B;");
    for chain in [
        [user, ("board/b.rs", "use super::c::C; fn f(me: crate::board::b::B) {}"), c],
        [user, ("board/b.rs", "#[cfg(test)] mod tests { use super::*; use crate::board::a::A; } struct B;"), c],
        [user, ("board/b.rs", "#[cfg(test)]\nuse super::a::A;\nstruct B;"), c],
        [
            user,
            ("board/b.rs", "use crate::board::a::A;"),
            ("board/mod.rs", "mod a; #[cfg(all(test, not(miri)))]\nmod b;"),
        ],
    ] {
        assert_eq!(found(&chain), 0, "{chain:?}");
    }
}

/// Returns what the layer check reports for one made-up file.
fn complaints(path: &str, text: &str) -> Vec<String> {
    let sources = [Source::new(path, text)];
    [upward_imports(&sources, &[], LAYERS), upward_imports(&sources, &["engine"], ENGINE_LAYERS)].concat()
}

#[test]
fn an_upward_import_is_found_however_it_is_written() {
    for (path, text) in [
        ("board/mod.rs", "use crate::search::Searcher;"),
        ("board/mod.rs", "use crate :: { score::Score , search } ;"),
        ("board/fen.rs", "use crate::{score::{Score, Bound}, rules::{self as judge}};"),
        ("board/fen.rs", "fn f() -> crate::engine::Event { loop {} }"),
        ("board/fen.rs", "mod tests { use super::super::super::eval::Evaluator; }"),
        ("board/mod.rs", "use super::eval;"),
        ("score.rs", "use super::{board::Move};"),
        ("rules/mod.rs", "use crate::eval::Evaluator;"),
        ("referee.rs", "use crate::bench;"),
        ("smp/vote.rs", "use crate::score::Score;"),
        ("smp/table/entry.rs", "use crate::board::Move;"),
        ("smp/time/budget.rs", "use crate::search::Iteration;"),
        ("search/mod.rs", "use crate::Position;"),
        ("search/mod.rs", "use crate::*;"),
        ("engine/event.rs", "use super::options::Options;"),
        ("engine/event.rs", "use crate::engine::{workers};"),
        ("engine/workers.rs", "use super::game::Game;"),
        ("engine/workers.rs", "use super::Event;"),
        ("engine/workers.rs", "use crate::protocol::Protocol;"),
        ("novelty.rs", ""),
    ] {
        assert_eq!(complaints(path, text).len(), 1, "{path}: {text}");
    }
}

#[test]
fn downward_imports_comments_and_literals_are_no_offence() {
    for (path, text) in [
        ("search/mod.rs", "use crate::{board::{Move, Position}, smp::table::Table}; use crate::score::Score;"),
        ("search/negamax.rs", "use super::window::Window; use crate::search::node;"),
        ("search/negamax.rs", "mod tests { use super::*; use super::super::node; }"),
        ("board/mod.rs", "//! See [`crate::search`].\n/* crate::eval /* crate::eval */ crate::eval */"),
        ("board/mod.rs", r##"const S: &str = r#"" crate::eval"#; const C: [char; 2] = ['"', '\'']; // crate::eval"##),
        ("board/mod.rs", "fn f<'a>(s: &'a str) -> &'a str { s } const Q: &str = \"\\\" crate::eval\";"),
        ("board/mod.rs", "pub(crate) mod fen; pub(in crate::board) fn f() {}"),
        ("engine/controller.rs", "use super::{event::Event, workers::Workers}; use crate::engine::options::Options;"),
        ("engine/mod.rs", "pub use controller::Controller; pub use event::Event;"),
        ("main.rs", "use crate::protocol::Protocol;"),
    ] {
        assert_eq!(complaints(path, text), [""; 0], "{path}: {text}");
    }
}

#[test]
fn functions_are_measured_from_their_first_line_to_their_last_brace() {
    let text =
        "fn short() {}\ntrait T {\n  fn none(a: [u8; 2]);\n}\nfn long(a: [u8; 2]) {\n  if a[0] == b'}' {\n    }\n}\n";
    let source = Source::new("search/mod.rs", text);
    assert_eq!(source.functions(), [("short", 1, 1), ("long", 5, 4)]);
}
