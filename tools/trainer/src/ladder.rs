//! Ladder of networks: Elo of each over the hand-crafted evaluation (HCE) against its cost, as a table and a picture.
//!
//! A line of the table is a match of a network, including those tried and not adopted. Columns are separated by tabs and named in
//! the heading; `#` begins a comment.

use anyhow::{Context, Result, ensure};

use crate::plot::{self, Axis, Chart, Point, Series};

/// Heading with the names of the columns.
pub const HEADING: &str = "step\tpositions\tcpu_hours\tnetwork\telo\terror\tconditions";

/// Colours of conditions, in order of appearance.
const COLOURS: [&str; 6] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#7f7f7f"];

/// Elo between grid lines.
const ELO_STEP: f64 = 50.0;

/// Network and one of its matches.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Name on the ladder.
    pub name: String,
    /// Number of training positions.
    pub positions: f64,
    /// Hours of one core for its games, those of its teachers included, and for training.
    pub cpu_hours: f64,
    /// Description of its shape.
    pub network: String,
    /// Gain in Elo.
    pub elo: f64,
    /// Half the 95 % confidence interval.
    pub error: f64,
    /// Conditions of the match.
    pub conditions: String,
}

/// Reads the table.
///
/// # Errors
/// If a line is invalid; names the first one.
pub fn read(text: &str) -> Result<Vec<Step>> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    ensure!(lines.next().is_some_and(|(_, line)| line == HEADING), "the columns are {}", HEADING.replace('\t', ", "));
    lines.map(|(number, line)| step(line).with_context(|| format!("line {}", number + 1))).collect()
}

fn step(line: &str) -> Result<Step> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[name, positions, cpu_hours, network, elo, error, conditions] = cells.as_slice() else {
        anyhow::bail!("it has {} columns, not 7", cells.len());
    };
    let number = |text: &str| text.parse::<f64>().with_context(|| format!("{text} is not a number"));
    let step = Step {
        name: name.to_owned(),
        positions: number(positions)?,
        cpu_hours: number(cpu_hours)?,
        network: network.to_owned(),
        elo: number(elo)?,
        error: number(error)?,
        conditions: conditions.to_owned(),
    };
    ensure!(step.positions > 0.0 && step.cpu_hours > 0.0, "no network comes from nothing");
    Ok(step)
}

/// Plots Elo against positions, and against hours of a core.
///
/// # Errors
/// If there are no steps.
pub fn svg(steps: &[Step]) -> Result<String> {
    ensure!(!steps.is_empty(), "the ladder has no step");
    Ok(plot::svg(&[
        chart(steps, "training positions", |step| step.positions),
        chart(steps, "hours of one core, for games and training", |step| step.cpu_hours),
    ]))
}

/// Whether a file begins like an SVG picture.
pub fn is_picture(start: &[u8]) -> bool {
    start.starts_with(b"<svg")
}

fn chart(steps: &[Step], name: &'static str, cost: impl Fn(&Step) -> f64) -> Chart {
    let costs = || steps.iter().map(&cost);
    let ends = [costs().fold(f64::MAX, f64::min), costs().fold(f64::MIN, f64::max)].map(f64::log10);
    let decades = [ends[0].floor() as i32, (ends[1].ceil() as i32).max(ends[0].floor() as i32 + 1)];
    let high = steps.iter().map(|step| step.elo + step.error).fold(0.0, f64::max);
    let low = steps.iter().map(|step| step.elo - step.error).fold(0.0, f64::min);
    let lines = [(low / ELO_STEP).floor() as i32, (high / ELO_STEP).ceil() as i32];
    let mut conditions: Vec<&str> = vec![];
    for step in steps {
        if !conditions.contains(&&*step.conditions) {
            conditions.push(&step.conditions);
        }
    }
    let series = conditions.into_iter().zip(COLOURS.into_iter().cycle()).map(|(conditions, colour)| {
        let points = steps.iter().filter(|step| step.conditions == conditions).map(|step| Point {
            x: cost(step),
            y: step.elo,
            error: step.error,
            label: format!("{}: {}", step.name, step.network),
        });
        Series { name: conditions.to_owned(), colour, points: points.collect(), is_line: false }
    });
    let decade = |power: i32| 10_f64.powi(power);
    Chart {
        title: "what the networks have gained",
        x: Axis {
            name,
            ends: decades.map(decade),
            is_logarithmic: true,
            marks: (decades[0]..=decades[1]).map(|power| (decade(power), decade(power).to_string())).collect(),
        },
        y: Axis {
            name: "Elo over the hand-crafted evaluation, with intervals of 95 %",
            ends: lines.map(|line| f64::from(line) * ELO_STEP),
            is_logarithmic: false,
            marks: (lines[0]..=lines[1])
                .map(|line| f64::from(line) * ELO_STEP)
                .map(|elo| (elo, elo.to_string()))
                .collect(),
        },
        series: series.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("../ladder.tsv");

    #[test]
    fn the_picture_in_the_repository_is_that_of_its_table() {
        let drawn = include_str!("../ladder.svg").to_owned();
        assert_eq!(svg(&read(TABLE).unwrap()).unwrap(), drawn, "chuhe-trainer ladder draws it anew");
    }

    #[test]
    fn every_step_is_a_point_in_both_charts() {
        let steps = read(TABLE).unwrap();
        let picture = svg(&steps).unwrap();
        assert_eq!(picture.matches("<circle").count(), 2 * steps.len());
        for step in &steps {
            assert!(picture.contains(&format!(">{}: {}</text>", step.name, step.network)), "{}", step.name);
        }
    }

    #[test]
    fn what_is_no_table_is_reported_by_its_line() {
        let error = |line: &str| format!("{:#}", read(&format!("# A remark\n{HEADING}\n{line}")).unwrap_err());
        assert_eq!(error("A\t1\t2"), "line 3: it has 3 columns, not 7");
        assert_eq!(error("A\tmany\t2\t256\t1\t1\tnone"), "line 3: many is not a number: invalid float literal");
        assert_eq!(error("A\t0\t2\t256\t1\t1\tnone"), "line 3: no network comes from nothing");
        assert!(read("A\t1\t2").is_err() && svg(&[]).is_err());
    }
}
