//! The README: short, in two languages that say the same, and without figures that the manual does not have.

mod support;

use std::collections::BTreeSet;

use support::markdown::Page;

/// Languages: the README, the other one, and the folder of the manual.
const READMES: [[&str; 3]; 2] =
    [["README.md", "README.zh-CN.md", "docs/en/src"], ["README.zh-CN.md", "README.md", "docs/zh/src"]];

/// Size that fits four screens.
const MOST_BYTES: usize = 8192;

/// Rows of the table of strength.
const MOST_MATCHES: usize = 5;

/// Returns the results of matches, such as `99-1-0`, in their order.
fn results(text: &str) -> Vec<&str> {
    let is_result = |word: &&str| {
        let parts: Vec<_> = word.split('-').collect();
        parts.len() == 3 && parts[0].len() < 4 && parts.iter().all(|part| part.parse::<u32>().is_ok())
    };
    text.split(|c: char| c.is_whitespace() || "|,:;".contains(c)).filter(is_result).collect()
}

#[test]
fn both_readmes_are_short_and_lead_to_each_other() {
    for [name, other, _] in READMES {
        let page = Page::read(name);
        assert!(page.text.len() <= MOST_BYTES, "{name} has {} bytes", page.text.len());
        let first = page.text.lines().next().unwrap_or_default();
        assert!(first.contains(&format!("]({other})")), "{name} begins with {first}");
    }
}

#[test]
fn both_readmes_have_the_same_parts_and_results() {
    let [english, chinese] = READMES.map(|[name, ..]| Page::read(name));
    let levels = |page: &Page| page.headings().iter().map(|(level, _)| *level).collect::<Vec<_>>();
    assert_eq!(levels(&english), levels(&chinese));
    let blocks = |page: &Page| page.blocks().into_iter().map(|block| block.kind).collect::<Vec<_>>();
    assert_eq!(blocks(&english), blocks(&chinese));
    assert_eq!(results(&english.text), results(&chinese.text));
    let pages = |page: &Page| {
        let links = page.links().into_iter().filter(|link| link.starts_with("docs/"));
        links.map(|link| link.rsplit('/').next().unwrap_or_default().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(pages(&english), pages(&chinese));
}

#[test]
fn the_results_are_those_of_the_manual() {
    for [name, _, book] in READMES {
        let (page, manual) = (Page::read(name), Page::read(format!("{book}/measurements.md")));
        let (shown, measured) = (results(&page.text), results(&manual.text));
        assert!((1..=MOST_MATCHES).contains(&shown.len()), "{name} shows {shown:?}");
        let missing: Vec<_> = shown.iter().filter(|result| !measured.contains(result)).collect();
        assert!(missing.is_empty(), "{name}: the manual does not have {missing:?}");
    }
}

#[test]
fn every_page_of_the_manual_can_be_reached() {
    for [name, _, book] in READMES {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![Page::read(name)];
        while let Some(page) = waiting.pop() {
            for link in page.links() {
                let file = link.split('#').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
                let is_page = link.starts_with(book) || page.path.starts_with(book) && !link.contains('/');
                if is_page && file.ends_with(".md") && reached.insert(file.to_owned()) {
                    waiting.push(Page::read(format!("{book}/{file}")));
                }
            }
        }
        let pages =
            Page::all_in(book).into_iter().map(|page| page.path.file_name().unwrap().to_string_lossy().into_owned());
        let missing: Vec<_> = pages.filter(|page| page != "SUMMARY.md" && !reached.contains(page)).collect();
        assert!(missing.is_empty(), "from {name} no link leads to {missing:?}");
    }
}
