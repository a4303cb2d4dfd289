//! Table of runs: shape, seed and last losses of each, as comma-separated values, and their losses by epoch as a picture.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::buckets;
use crate::checkpoint::{Checkpoint, Epoch, Settings};
use crate::curve;
use crate::plot::{self, Chart, Series};
use crate::train::CHECKPOINT;

/// First line of the table.
pub const HEADING: &str = "run,width,outputs,kings,seed,games,from,epochs,epochs_done,result,last_result,newest,training,validation,\
     scores,results";

/// Colours of shapes, in order of appearance.
const COLOURS: [&str; 6] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#7f7f7f"];

/// Run of which at least one epoch is finished.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Path of the run, as the user named it.
    pub name: String,
    /// Settings of the run.
    pub settings: Settings,
    /// Finished epochs.
    pub epochs: Vec<Epoch>,
    last: Epoch,
}

impl Finished {
    /// Reads the checkpoint of a run, given its path or the folder of the run.
    ///
    /// # Errors
    /// If there is no checkpoint, or no epoch is finished.
    pub fn read(path: &Path) -> Result<Self> {
        let file = if path.is_dir() { path.join(CHECKPOINT) } else { path.to_owned() };
        let Checkpoint { settings, epochs, .. } = Checkpoint::read(&file)?;
        Self::of(path.display().to_string(), settings, epochs)
    }

    fn of(name: String, settings: Settings, epochs: Vec<Epoch>) -> Result<Self> {
        let Some(&last) = epochs.last() else { bail!("{name}: no epoch is finished") };
        Ok(Self { name, settings, epochs, last })
    }

    fn line(&self) -> String {
        let Self { name, settings, epochs, last } = self;
        let cell = |text: &str| {
            if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
        };
        let optional = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.7}"));
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{:.7},{:.7},{},{:.7}",
            cell(name),
            settings.width,
            buckets::word(settings.outputs),
            settings.kings,
            settings.seed,
            cell(&settings.games),
            settings.from.as_deref().unwrap_or_default(),
            settings.epochs,
            epochs.len(),
            settings.result_share,
            settings.last_result_share(),
            settings.newest.map_or_else(String::new, |share| share.to_string()),
            last.training,
            last.validation,
            optional(last.scores),
            last.results
        )
    }
}

/// Reads several runs, each given by its folder or its checkpoint.
///
/// # Errors
/// Names the first that is not a run with a finished epoch.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Finished>> {
    paths.iter().map(|path| Finished::read(path)).collect()
}

/// Formats the table, a line for each run.
pub fn csv(runs: &[Finished]) -> String {
    let mut text = format!("{HEADING}\n");
    for run in runs {
        writeln!(text, "{}", run.line()).expect("a string has room");
    }
    text
}

/// Whether a file begins like the table.
pub fn is_table(start: &[u8]) -> bool {
    start.starts_with(HEADING.as_bytes())
}

/// Plots the validation losses of the runs by epoch, and their losses against the results.
pub fn svg(runs: &[Finished]) -> String {
    plot::svg(&[
        chart(runs, "validation loss by epoch", |epoch| epoch.validation),
        chart(runs, "loss against the results by epoch", |epoch| epoch.results),
    ])
}

fn chart(runs: &[Finished], title: &'static str, loss: fn(&Epoch) -> f64) -> Chart {
    let mut shapes = vec![];
    let mut series = vec![];
    for Finished { settings, epochs, last, .. } in runs {
        let shape = settings.layout().shape;
        let number = shapes.iter().position(|known| *known == shape).unwrap_or(shapes.len());
        if number == shapes.len() {
            shapes.push(shape);
        }
        series.push(Series {
            name: format!("{shape}, seed {}: {:.6}", settings.seed, loss(last)),
            colour: COLOURS[number % COLOURS.len()],
            points: curve::points(epochs, loss),
            is_line: true,
        });
    }
    curve::chart(title, series)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::tests::tiny;
    use chuhe::eval::nnue::OutputBuckets;

    fn run(name: &str, settings: Settings, validation: f64) -> Finished {
        let epoch = |validation| Epoch { training: 0.01, validation, scores: Some(0.02), results: 0.03, rate: 1e-3 };
        Finished::of(name.to_owned(), settings, vec![epoch(2.0 * validation), epoch(validation)]).unwrap()
    }

    fn runs() -> [Finished; 3] {
        let material = Settings { outputs: OutputBuckets::ByMaterial, last_result: Some(0.5), ..tiny() };
        [
            run("a", tiny(), 0.25),
            run("b,c", Settings { seed: 8, ..tiny() }, 0.26),
            run("d", Settings { newest: Some(0.5), ..material }, 0.125),
        ]
    }

    #[test]
    fn the_table_has_a_line_for_each_run() {
        let table = csv(&runs());
        assert!(is_table(table.as_bytes()));
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[1], "a,32,2,1,7,none,,3,2,0,0,,0.0100000,0.2500000,0.0200000,0.0300000");
        assert!(lines[2].starts_with("\"b,c\",32,2,1,8,none,"));
        assert_eq!(lines[3], "d,32,material,1,7,none,,3,2,0,0.5,0.5,0.0100000,0.1250000,0.0200000,0.0300000");
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().enumerate().all(|(at, line)| at == 2 || line.split(',').count() == 16));
    }

    #[test]
    fn runs_of_one_shape_have_one_colour() {
        let picture = svg(&runs());
        assert_eq!(picture.matches("<polyline").count(), 6);
        let names =
            ["32 wide, 2 outputs by pieces, seed 8: 0.260000", "32 wide, 16 outputs by material, seed 7: 0.125000"];
        for name in names {
            assert!(picture.contains(name), "{name}");
        }
        assert_eq!(COLOURS.map(|colour| picture.matches(&format!("fill=\"{colour}\"")).count())[..3], [4, 2, 0]);
    }

    #[test]
    fn a_run_without_a_finished_epoch_is_named() {
        assert_eq!(Finished::of("x".into(), tiny(), vec![]).unwrap_err().to_string(), "x: no epoch is finished");
    }
}
