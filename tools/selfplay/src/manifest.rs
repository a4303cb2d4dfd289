//! Lines for a manifest: what is needed to make games again, and their hashes.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chuhe::rules::RuleSet;

use crate::chunk::Header;
use crate::folder;
use crate::recipe::{Adjudication, CLASSICAL, Effort, Opening, Recipe};

/// Chunks of one run.
struct Run {
    /// Name of the folder of its first chunk.
    name: String,
    headers: Vec<Header>,
}

/// Returns a `[[games]]` table (TOML) for each run of the chunks in `paths`, as `src/eval/nnue/MANIFEST.toml` has them.
///
/// # Errors
/// The first file that is not an intact chunk, or has games that another one has.
pub fn lines(paths: &[PathBuf]) -> Result<String> {
    let mut runs: Vec<Run> = vec![];
    for path in folder::chunks_without_doublets(paths)? {
        let header = Header::read(&path).with_context(|| path.display().to_string())?;
        let is_of = |run: &&mut Run| run.headers[0].recipe.difference(&header.recipe).is_none();
        match runs.iter_mut().find(is_of) {
            Some(run) => run.headers.push(header),
            None => runs.push(Run { name: folder_name(&path), headers: vec![header] }),
        }
    }
    let mut text = String::new();
    for run in &mut runs {
        run.headers.sort_by_key(|header| header.first);
        run.write(&mut text)?;
    }
    Ok(text)
}

fn folder_name(path: &Path) -> String {
    let folder =
        path.canonicalize().ok().and_then(|path| Some(path.parent()?.file_name()?.to_string_lossy().into_owned()));
    folder.unwrap_or_else(|| "games".to_owned())
}

impl Run {
    fn write(&self, text: &mut String) -> Result<()> {
        let Recipe { engine, network, .. } = &self.headers[0].recipe;
        if !text.is_empty() {
            text.push('\n');
        }
        writeln!(text, "[[games]]")?;
        writeln!(text, "name = {:?}", self.name)?;
        writeln!(text, "teacher = {network:?}")?;
        writeln!(text, "commit = {:?}", engine.commit)?;
        writeln!(text, "command = {:?}", self.command())?;
        let rows: Vec<String> = self.rows().map(|(first, last)| format!("[{first}, {last}]")).collect();
        match rows.as_slice() {
            [row] => writeln!(text, "games = {row}")?,
            rows => writeln!(text, "games = [{}]", rows.join(", "))?,
        }
        writeln!(text, "chunks = [")?;
        for header in &self.headers {
            writeln!(text, "    {:?},", header.contents)?;
        }
        Ok(writeln!(text, "]")?)
    }

    /// First and last numbers of consecutive games.
    fn rows(&self) -> impl Iterator<Item = (u64, u64)> {
        let rows = self.headers.chunk_by(|one, next| one.end() == next.first);
        rows.map(|row| (row[0].first, row[row.len() - 1].end().saturating_sub(1)))
    }

    /// Command that makes the games, with the options that differ from their defaults.
    fn command(&self) -> String {
        let Header { first, games: chunk, recipe, .. } = &self.headers[0];
        let Recipe { network, seed, rules, effort, opening, adjudication, .. } = recipe;
        let end = self.headers[self.headers.len() - 1].end();
        let usual = Adjudication::default();
        let soft = effort.soft_nodes;
        let network = if network == CLASSICAL { network.clone() } else { format!("{network}.nnue") };
        let mut command =
            format!("chuhe-selfplay generate -games {} -chunk {chunk} -seed {seed} -soft {soft}", end - first);
        let mut add = |name: &str, value: String, is_usual: bool| {
            if !is_usual {
                command += &format!(" -{name} {value}");
            }
        };
        add("first", first.to_string(), *first == 0);
        add("hard", effort.hard_nodes.to_string(), effort.hard_nodes == Effort::default_hard(soft));
        add("table", effort.table_mebibytes.to_string(), effort.table_mebibytes == Effort::DEFAULT_TABLE);
        add("rules", rules.clone(), rules == RuleSet::Asian.name());
        add("plies", adjudication.most_plies.to_string(), adjudication.most_plies == usual.most_plies);
        add("opening", opening.nodes.to_string(), opening.nodes == Opening::default_nodes(soft));
        add("won", adjudication.won_score.to_string(), adjudication.won_score == usual.won_score);
        add("wonplies", adjudication.won_plies.to_string(), adjudication.won_plies == usual.won_plies);
        add("network", network, false);
        add("out", self.name.clone(), false);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;
    use crate::game::Game;
    use crate::game::tests::game;
    use crate::recipe::tests::quick;

    #[test]
    fn each_run_has_its_table() {
        let folder = tempfile::tempdir().unwrap();
        let mut hashes = vec![];
        for (seed, name, firsts) in [(7, "one", &[10, 0, 40][..]), (8, "other", &[0])] {
            let place = folder.path().join(name);
            std::fs::create_dir(&place).unwrap();
            for &first in firsts {
                let games =
                    (first..first + 10).map(|number| Game { number, ..game("h2e2", &[("h9g7", first as i16)]) });
                let chunk = Chunk::new(&quick(seed), games.collect());
                hashes.push(chunk.header.contents.clone());
                folder::save(&place, &chunk).unwrap();
            }
        }
        let text = lines(&["one", "other"].map(|name| folder.path().join(name))).unwrap();
        let expected = format!(
            r#"[[games]]
name = "one"
teacher = "classical"
commit = "test"
command = "chuhe-selfplay generate -games 50 -chunk 10 -seed 7 -soft 30 -table 1 -plies 60 -opening 100 -network classical -out one"
games = [[0, 19], [40, 49]]
chunks = [
    "{}",
    "{}",
    "{}",
]

[[games]]
name = "other"
teacher = "classical"
commit = "test"
command = "chuhe-selfplay generate -games 10 -chunk 10 -seed 8 -soft 30 -table 1 -plies 60 -opening 100 -network classical -out other"
games = [0, 9]
chunks = [
    "{}",
]
"#,
            hashes[1], hashes[0], hashes[2], hashes[3]
        );
        assert_eq!(text, expected);
    }
}
