//! Charts as pictures (SVG): axes, lines and points with their errors.

use std::fmt::Write;

/// Of one chart with what is written around it.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Around the lines, for names and numbers.
const MARGIN: f64 = 60.0;
/// Of a line and of a point.
const STROKE: f64 = 2.0;
const RADIUS: f64 = 4.0;

/// Lines in a frame.
pub struct Chart {
    /// What it shows.
    pub title: &'static str,
    /// From left to right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// What a direction means.
pub struct Axis {
    /// What is counted.
    pub name: &'static str,
    /// The ends; the same number twice is a wide axis around it.
    pub ends: [f64; 2],
    /// Whether equal steps are equal factors; the ends are positive then.
    pub is_logarithmic: bool,
    /// Where numbers stand, and what they are.
    pub marks: Vec<(f64, String)>,
}

/// Points that belong together.
pub struct Series {
    /// What they are.
    pub name: String,
    /// As SVG has it.
    pub colour: &'static str,
    /// In their order.
    pub points: Vec<Point>,
    /// Whether a line leads from each to the next.
    pub is_line: bool,
}

/// A point.
pub struct Point {
    /// Along the first axis.
    pub x: f64,
    /// Along the second.
    pub y: f64,
    /// How much higher or lower it may be.
    pub error: f64,
    /// What is written beside it.
    pub label: String,
}

impl Axis {
    /// How far along the axis a number lies, 0 to 1.
    fn share(&self, number: f64) -> f64 {
        let scale = |number: f64| if self.is_logarithmic { number.ln() } else { number };
        let [low, high] = self.ends.map(scale);
        if high > low { ((scale(number) - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// The charts below each other.
pub fn svg(charts: &[Chart]) -> String {
    let height = HEIGHT * charts.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, chart) in charts.iter().enumerate() {
        writeln!(text, "<g transform=\"translate(0 {})\">", HEIGHT * number as f64).expect("a string has room");
        chart.draw(&mut text);
        text.push_str("</g>\n");
    }
    text + "</svg>\n"
}

impl Chart {
    fn x(&self, number: f64) -> f64 {
        MARGIN + (WIDTH - 2.0 * MARGIN) * self.x.share(number)
    }

    fn y(&self, number: f64) -> f64 {
        HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * self.y.share(number)
    }

    fn draw(&self, text: &mut String) {
        let mut put = |line: std::fmt::Arguments| writeln!(text, "{line}").expect("a string has room");
        let (right, bottom) = (WIDTH - MARGIN, HEIGHT - MARGIN);
        for (number, mark) in &self.y.marks {
            let y = self.y(*number);
            put(format_args!("<path d=\"M{MARGIN} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
            put(format_args!("<text x=\"{}\" y=\"{y:.1}\" text-anchor=\"end\">{mark}</text>", MARGIN - 6.0));
        }
        for (number, mark) in &self.x.marks {
            let x = self.x(*number);
            put(format_args!("<path d=\"M{x:.1} {bottom}v5\" stroke=\"#888\"/>"));
            put(format_args!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{mark}</text>", bottom + 18.0));
        }
        for (row, series) in self.series.iter().enumerate() {
            self.draw_series(series, &mut put);
            let y = MARGIN + 16.0 * row as f64;
            let Series { colour, name, .. } = series;
            put(format_args!("<text x=\"{right}\" y=\"{y}\" text-anchor=\"end\" fill=\"{colour}\">{name}</text>"));
        }
        let (middle, low) = (WIDTH / 2.0, HEIGHT - 16.0);
        put(format_args!("<text x=\"{middle}\" y=\"{low}\" text-anchor=\"middle\">{}</text>", self.x.name));
        put(format_args!("<text x=\"{MARGIN}\" y=\"24\">{}</text>", self.title));
        put(format_args!("<text x=\"{MARGIN}\" y=\"44\" fill=\"#666\">{}</text>", self.y.name));
    }

    fn draw_series(&self, series: &Series, put: &mut impl FnMut(std::fmt::Arguments)) {
        let Series { colour, points, is_line, .. } = series;
        if *is_line {
            let places: Vec<String> =
                points.iter().map(|point| format!("{:.1},{:.1}", self.x(point.x), self.y(point.y))).collect();
            let places = places.join(" ");
            put(format_args!(
                "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{STROKE}\"/>"
            ));
        }
        for Point { x, y, error, label } in points.iter().filter(|point| !point.label.is_empty()) {
            let (at, low, high) = (self.x(*x), self.y(y - error), self.y(y + error));
            let y = self.y(*y);
            put(format_args!("<path d=\"M{at:.1} {low:.1}V{high:.1}\" stroke=\"{colour}\"/>"));
            put(format_args!("<circle cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{colour}\"/>"));
            put(format_args!("<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>", at + 2.0 * RADIUS, y - RADIUS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equal_steps_and_nothing_leaves_the_frame() {
        let axis = |is_logarithmic, ends| Axis { name: "", ends, is_logarithmic, marks: vec![] };
        assert!((axis(true, [1.0, 100.0]).share(10.0) - 0.5).abs() < 1e-12);
        assert_eq!(axis(false, [0.0, 10.0]).share(2.5), 0.25);
        assert_eq!(axis(false, [0.0, 10.0]).share(20.0), 1.0);
        assert_eq!(axis(false, [3.0, 3.0]).share(3.0), 0.5);
    }
}
