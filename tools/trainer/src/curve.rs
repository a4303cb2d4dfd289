//! Losses of all epochs, as a table and as a picture.

use crate::checkpoint::Epoch;
use crate::plot::{self, Axis, Chart, Point, Series};

/// Formats the losses as comma-separated values, a line for each epoch.
pub fn csv(epochs: &[Epoch]) -> String {
    let mut text = "epoch,training,validation,scores,results,rate\n".to_owned();
    for (number, Epoch { training, validation, scores, results, rate }) in epochs.iter().enumerate() {
        let scores = scores.map_or_else(String::new, |loss| format!("{loss:.7}"));
        let line = format!("{},{training:.7},{validation:.7},{scores},{results:.7},{rate:.3e}\n", number + 1);
        text.push_str(&line);
    }
    text
}

/// Number of intervals between grid lines.
const LINES: usize = 4;

/// Plots the training and validation losses by epoch.
pub fn svg(epochs: &[Epoch]) -> String {
    let curve = |name: &str, colour, loss| Series {
        name: name.to_owned(),
        colour,
        points: points(epochs, loss),
        is_line: true,
    };
    let training = curve("training", "#1f77b4", |epoch| epoch.training);
    let validation = curve("validation", "#d62728", |epoch| epoch.validation);
    plot::svg(&[chart("loss by epoch", vec![training, validation])])
}

/// Returns the points of a curve: one loss of each epoch.
pub(crate) fn points(epochs: &[Epoch], loss: fn(&Epoch) -> f64) -> Vec<Point> {
    let point = |(x, epoch)| Point { x, y: loss(epoch), error: 0.0, label: String::new() };
    (1..).map(f64::from).zip(epochs).map(point).collect()
}

/// Makes a chart of losses by epoch, whose axes span all curves.
pub(crate) fn chart(title: &'static str, series: Vec<Series>) -> Chart {
    let all = || series.iter().flat_map(|curve| &curve.points);
    let last = all().map(|point| point.x).fold(1.0, f64::max);
    let (low, high) = all().fold((f64::MAX, f64::MIN), |(low, high), point| (low.min(point.y), high.max(point.y)));
    let line = |line: usize| low + (high - low) * line as f64 / LINES as f64;
    Chart {
        title,
        x: Axis {
            name: "epoch",
            ends: [1.0, last],
            is_logarithmic: false,
            marks: [1.0, last].map(|epoch| (epoch, epoch.to_string())).to_vec(),
        },
        y: Axis {
            name: "mean squared error of the expected result",
            ends: [low, high],
            is_logarithmic: false,
            marks: (0..=LINES).map(line).map(|loss| (loss, format!("{loss:.5}"))).collect(),
        },
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs() -> Vec<Epoch> {
        let scores = |n| (n > 1).then_some(0.15);
        let epoch =
            |n| Epoch { training: 0.1 / f64::from(n), validation: 0.2, scores: scores(n), results: 0.3, rate: 1e-3 };
        (1..=3).map(epoch).collect()
    }

    #[test]
    fn the_table_has_a_line_for_each_epoch() {
        let table = csv(&epochs());
        assert_eq!(table.lines().count(), 4);
        assert_eq!(table.lines().nth(1).unwrap(), "1,0.1000000,0.2000000,,0.3000000,1.000e-3");
        assert_eq!(table.lines().nth(2).unwrap(), "2,0.0500000,0.2000000,0.1500000,0.3000000,1.000e-3");
    }

    #[test]
    fn the_picture_has_two_curves_within_its_frame() {
        for epochs in [epochs(), epochs()[..1].to_vec()] {
            let picture = svg(&epochs);
            let curves: Vec<&str> =
                picture.split("points=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            assert_eq!(curves.len(), 2);
            for curve in curves {
                let points: Vec<(f64, f64)> = curve
                    .split(' ')
                    .map(|point| point.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap())
                    .collect();
                assert_eq!(points.len(), epochs.len());
                assert!(points.iter().all(|(x, y)| (60.0..=580.0).contains(x) && (60.0..=300.0).contains(y)));
            }
        }
    }
}
