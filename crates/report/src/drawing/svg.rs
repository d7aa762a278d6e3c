//! A picture that needs no other program.
//!
//! Every colour and width stands at the element it belongs to, with no style sheet: the picture
//! looks the same in a browser, in an editor and pasted into a page. Boxes and edges say in
//! `data-` attributes which ones they are.

use std::fmt::Write;

use super::{
    Drawing, DrawnEdge, DrawnNode,
    geometry::{HEAD, Heading, Piece, Point, Rect, Route},
    layout::{Link, Sketch, layout},
    paint::{EdgePaint, of_back_edge, of_box, of_edge},
    route::widths_for_labels,
    text::{self, FONT, LABEL_FONT, LINE, shown, xml},
};

const PADDING: f64 = 9.0;
const MARGIN: f64 = 16.0;
/// The width up to which a box is widened for the labels below it.
const WIDEST_FOR_LABELS: f64 = 640.0;
const TITLE_FONT: f64 = 14.0;
const TITLE_HEIGHT: f64 = 30.0;
const FAMILY: &str = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// The picture.
pub(super) fn svg(drawing: &Drawing) -> String {
    let edges = drawing.drawn_edges();
    let lines: Vec<_> = drawing.nodes.iter().map(|node| shown(&node.lines)).collect();
    let layout = layout(&sketch(&lines, &edges));
    let title = text::title(&drawing.title);
    let notes: Vec<_> = drawing.notes.iter().map(|note| text::title(note)).collect();
    let widths = notes.iter().map(|note| text::width(note, FONT));
    let least = widths.fold(text::width(&title, TITLE_FONT) * 1.05, f64::max);
    let head = TITLE_HEIGHT + notes.len() as f64 * LINE;
    let (width, height) =
        (layout.bounds.width.max(least) + 2.0 * MARGIN, layout.bounds.height + 2.0 * MARGIN + head);
    let shift = Point { x: MARGIN - layout.bounds.x, y: MARGIN + head - layout.bounds.y };
    let mut svg = open(&title, &drawing.title, width.ceil(), height.ceil());
    for (line, note) in notes.iter().enumerate() {
        svg += &below_title(line, note);
    }
    let routes: Vec<_> = layout.routes.into_iter().map(|route| route.moved(shift)).collect();
    for (&(index, edge), route) in edges.iter().zip(&routes) {
        svg += &arrow(index, edge, route);
    }
    for (index, (node, rect)) in drawing.nodes.iter().zip(layout.boxes).enumerate() {
        svg += &boxed(index, node, &lines[index], rect.moved(shift));
    }
    for (&(index, edge), route) in edges.iter().zip(&routes) {
        svg += &label(index, edge, route);
    }
    svg + "</svg>\n"
}

fn sketch(lines: &[Vec<String>], edges: &[(usize, &DrawnEdge)]) -> Sketch {
    let links: Vec<_> = edges.iter().map(|(_, edge)| link(edge)).collect();
    let for_labels = widths_for_labels(lines.len(), &links);
    let sizes = lines.iter().zip(for_labels).map(|(lines, for_labels)| {
        let (width, height) = size(lines);
        (width.max(for_labels.min(WIDEST_FOR_LABELS)), height)
    });
    Sketch { sizes: sizes.collect(), links }
}

fn link(edge: &DrawnEdge) -> Link {
    let label = text::label(&edge.label);
    let around = if label.is_empty() { 0.0 } else { 4.0 };
    Link { from: edge.from, to: edge.to, label: text::width(&label, LABEL_FONT) + around }
}

fn size(lines: &[String]) -> (f64, f64) {
    let widest = lines.iter().map(|line| text::width(line, FONT)).fold(20.0, f64::max);
    (widest + 2.0 * PADDING, lines.len().max(1) as f64 * LINE + 2.0 * PADDING - 4.0)
}

fn open(shown: &str, title: &str, width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FAMILY}\" \
         font-size=\"{FONT}\">\n\
         <title>{}</title>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"{}\" font-size=\"{TITLE_FONT}\" font-weight=\"bold\" \
         fill=\"#1f2328\" xml:space=\"preserve\">{}</text>\n",
        xml(title),
        MARGIN + TITLE_FONT,
        xml(shown)
    )
}

fn below_title(line: usize, note: &str) -> String {
    format!(
        "<text class=\"note\" x=\"{MARGIN}\" y=\"{}\" fill=\"#57606a\" \
         xml:space=\"preserve\">{}</text>\n",
        number(MARGIN + TITLE_FONT + (line + 1) as f64 * LINE),
        xml(note)
    )
}

fn boxed(index: usize, node: &DrawnNode, lines: &[String], rect: Rect) -> String {
    let paint = of_box(node.look);
    let look = format!("{:?}", node.look).to_lowercase();
    let mut text = format!("<g class=\"node {look}\" data-node=\"{index}\">\n");
    if node.lines != lines {
        let _ = writeln!(text, "<title>{}</title>", xml_lines(&node.lines));
    }
    let _ = writeln!(
        text,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" stroke=\"{}\" \
         stroke-width=\"{}\"/>",
        number(rect.x),
        number(rect.y),
        number(rect.width),
        number(rect.height),
        if paint.round { 12 } else { 3 },
        paint.fill,
        paint.line,
        paint.weight
    );
    for (line, shown) in lines.iter().enumerate().filter(|(_, shown)| !shown.is_empty()) {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" fill=\"{}\"{} xml:space=\"preserve\">{}</text>",
            number(rect.x + PADDING),
            number(rect.y + PADDING + FONT - 2.0 + line as f64 * LINE),
            paint.text,
            if line == 0 { " font-weight=\"bold\"" } else { "" },
            xml(shown)
        );
    }
    text + "</g>\n"
}

fn xml_lines(lines: &[String]) -> String {
    lines.iter().map(|line| xml(line)).collect::<Vec<_>>().join("\n")
}

fn paint(edge: &DrawnEdge, route: &Route) -> EdgePaint {
    if route.back { of_back_edge(edge.look) } else { of_edge(edge.look) }
}

fn arrow(index: usize, edge: &DrawnEdge, route: &Route) -> String {
    let paint = paint(edge, route);
    let look = format!("{:?}", edge.look).to_lowercase();
    let mut text = format!(
        "<g class=\"edge {look}{}\" data-edge=\"{index}\" data-from=\"{}\" data-to=\"{}\">\n",
        if route.back { " back" } else { "" },
        edge.from,
        edge.to
    );
    let _ = writeln!(
        text,
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>",
        path(route),
        paint.line,
        paint.weight,
        if paint.dashed { " stroke-dasharray=\"5 4\"" } else { "" }
    );
    let _ = writeln!(text, "<path d=\"{}\" fill=\"{}\"/>", head(route), paint.line);
    if let Some(place) = way_up(route) {
        let _ = writeln!(text, "<path d=\"{}\" fill=\"{}\"/>", pointing_up(place), paint.line);
    }
    text + "</g>\n"
}

fn path(route: &Route) -> String {
    let mut path = format!("M{}", point(route.start));
    for piece in &route.pieces {
        let _ = match piece {
            Piece::Line(end) => write!(path, " L{}", point(*end)),
            Piece::Curve(a, b, end) => {
                write!(path, " C{} {} {}", point(*a), point(*b), point(*end))
            }
        };
    }
    path
}

fn head(route: &Route) -> String {
    let Point { x, y } = route.tip;
    let half = HEAD / 2.0;
    let (a, b) = match route.heading {
        Heading::Down => (Point { x: x - half, y: y - HEAD }, Point { x: x + half, y: y - HEAD }),
        Heading::Left => (Point { x: x + HEAD, y: y - half }, Point { x: x + HEAD, y: y + half }),
    };
    format!("M{} L{} L{} Z", point(route.tip), point(a), point(b))
}

/// The marker of an edge that leads up: the middle of its longest straight way up.
fn way_up(route: &Route) -> Option<Point> {
    let rise = |(start, piece): &(Point, &Piece)| start.y - piece.end().y;
    let lines = route.legs().filter(|(_, piece)| matches!(piece, Piece::Line(_)));
    let longest = lines.max_by(|a, b| rise(a).total_cmp(&rise(b)))?;
    (rise(&longest) > HEAD).then(|| longest.1.at(longest.0, 0.5))
}

fn pointing_up(Point { x, y }: Point) -> String {
    let half = HEAD / 2.0;
    let [tip, a, b] = [(x, y - half), (x - half, y + half), (x + half, y + half)]
        .map(|(x, y)| point(Point { x, y }));
    format!("M{tip} L{a} L{b} Z")
}

fn label(index: usize, edge: &DrawnEdge, route: &Route) -> String {
    let Some(middle) = route.label else {
        return String::new();
    };
    format!(
        "<text class=\"label\" data-edge=\"{index}\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" \
         font-size=\"{LABEL_FONT}\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"4\" \
         stroke-linejoin=\"round\" paint-order=\"stroke\" xml:space=\"preserve\">{}</text>\n",
        number(middle.x),
        number(middle.y + LABEL_FONT * 0.35),
        "#1f2328",
        xml(&text::label(&edge.label))
    )
}

fn point(Point { x, y }: Point) -> String {
    format!("{} {}", number(x), number(y))
}

/// A tenth of a pixel is exact enough for the eye.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out() {
        let drawing = Drawing {
            title: "</title><script>".to_owned(),
            notes: Vec::new(),
            nodes: vec![DrawnNode {
                lines: vec!["<b> & \"c\"\0".to_owned()],
                ..Default::default()
            }],
            edges: vec![DrawnEdge { label: "<i>".to_owned(), ..Default::default() }],
        };
        let svg = svg(&drawing);
        assert!(svg.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"));
        assert!(svg.contains(">&lt;b&gt; &amp; &quot;c&quot;</text>"));
        assert!(svg.contains(">&lt;i&gt;</text>"));
        assert!(!svg.contains('\0') && !svg.contains("<script"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([number(-0.01), number(1.0), number(2.345)], ["0", "1", "2.3"]);
    }
}
