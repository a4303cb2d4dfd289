//! The losses of all epochs, as a table and as a picture.

use std::fmt::Write;

use crate::checkpoint::Epoch;

/// A line for each epoch, as comma-separated values.
pub fn csv(epochs: &[Epoch]) -> String {
    let mut text = "epoch,training,validation,results,rate\n".to_owned();
    for (number, Epoch { training, validation, results, rate }) in epochs.iter().enumerate() {
        let line = format!("{},{training:.7},{validation:.7},{results:.7},{rate:.3e}\n", number + 1);
        text.push_str(&line);
    }
    text
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Around the curves, for the numbers.
const MARGIN: f64 = 60.0;
const LINES: usize = 4;

struct Curve {
    name: &'static str,
    colour: &'static str,
    loss: fn(&Epoch) -> f64,
}

/// The losses of training and validation by epoch.
pub fn svg(epochs: &[Epoch]) -> String {
    let curves = [
        Curve { name: "training", colour: "#1f77b4", loss: |epoch| epoch.training },
        Curve { name: "validation", colour: "#d62728", loss: |epoch| epoch.validation },
    ];
    let all = || curves.iter().flat_map(|curve| epochs.iter().map(curve.loss));
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    let height = if high > low { high - low } else { 1.0 };
    let x =
        |number: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * number as f64 / epochs.len().saturating_sub(1).max(1) as f64;
    let y = |loss: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (loss - low) / height;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut put = |line: std::fmt::Arguments| writeln!(text, "{line}").expect("a string has room");
    for line in 0..=LINES {
        let loss = low + height * line as f64 / LINES as f64;
        let (y, right) = (y(loss), WIDTH - MARGIN);
        put(format_args!("<path d=\"M{MARGIN} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
        put(format_args!("<text x=\"{:.0}\" y=\"{y:.1}\" text-anchor=\"end\">{loss:.5}</text>", MARGIN - 6.0));
    }
    for number in [0, epochs.len().saturating_sub(1)] {
        let bottom = HEIGHT - MARGIN + 18.0;
        put(format_args!("<text x=\"{:.1}\" y=\"{bottom}\" text-anchor=\"middle\">{}</text>", x(number), number + 1));
    }
    for (row, Curve { name, colour, loss }) in curves.into_iter().enumerate() {
        let points: Vec<String> = epochs
            .iter()
            .enumerate()
            .map(|(number, epoch)| format!("{:.1},{:.1}", x(number), y(loss(epoch))))
            .collect();
        put(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        ));
        let (x, y) = (WIDTH - MARGIN - 80.0, MARGIN + 16.0 * row as f64);
        put(format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name}</text>"));
    }
    put(format_args!("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>", WIDTH / 2.0, HEIGHT - 16.0));
    put(format_args!("<text x=\"{MARGIN}\" y=\"24\">mean squared error of the expected result</text>"));
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs() -> Vec<Epoch> {
        (1..=3).map(|n| Epoch { training: 0.1 / f64::from(n), validation: 0.2, results: 0.3, rate: 1e-3 }).collect()
    }

    #[test]
    fn the_table_has_a_line_for_each_epoch() {
        let table = csv(&epochs());
        assert_eq!(table.lines().count(), 4);
        assert_eq!(table.lines().nth(2).unwrap(), "2,0.0500000,0.2000000,0.3000000,1.000e-3");
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
                assert!(points.iter().all(|(x, y)| (0.0..=WIDTH).contains(x) && (0.0..=HEIGHT).contains(y)));
            }
        }
    }
}
