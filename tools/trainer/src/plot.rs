//! Charts as SVG pictures: axes, lines and points with error bars.

use std::fmt::Write;

/// Size of one chart, including its margins.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Margin around the plot area, for names and numbers.
const MARGIN: f64 = 60.0;
/// Width of lines and radius of points.
const STROKE: f64 = 2.0;
const RADIUS: f64 = 4.0;

/// Chart with two axes.
pub struct Chart {
    /// Title of the chart.
    pub title: &'static str,
    /// Horizontal axis, from left to right.
    pub x: Axis,
    /// Vertical axis, upwards.
    pub y: Axis,
    /// Data of the chart.
    pub series: Vec<Series>,
}

/// Axis of a chart.
pub struct Axis {
    /// Name of the quantity.
    pub name: &'static str,
    /// Ends of the axis; if they are equal, the number is in the middle.
    pub ends: [f64; 2],
    /// Whether the axis is logarithmic; its ends must be positive then.
    pub is_logarithmic: bool,
    /// Positions and texts of the marks.
    pub marks: Vec<(f64, String)>,
}

/// Series of points.
pub struct Series {
    /// Name of the series.
    pub name: String,
    /// Colour, in the syntax of SVG.
    pub colour: &'static str,
    /// Points in their order.
    pub points: Vec<Point>,
    /// Whether a line joins the points.
    pub is_line: bool,
}

/// Point of a series.
pub struct Point {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// Half the height of the error bar.
    pub error: f64,
    /// Text beside the point.
    pub label: String,
}

impl Axis {
    /// Returns the place of a number along the axis, 0 to 1.
    fn share(&self, number: f64) -> f64 {
        let scale = |number: f64| if self.is_logarithmic { number.ln() } else { number };
        let [low, high] = self.ends.map(scale);
        if high > low { ((scale(number) - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// Draws the charts below each other.
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
