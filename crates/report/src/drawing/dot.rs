//! A picture for Graphviz.
//!
//! The same text and the same colours as in the svg; only the layout is left to Graphviz.

use std::fmt::Write;

use super::{
    Drawing, DrawnEdge, DrawnNode,
    paint::{EdgePaint, of_back_edge, of_box, of_edge},
    rank::back_edges,
    text::{self, shown},
};

/// The text for Graphviz.
pub(super) fn dot(drawing: &Drawing) -> String {
    let edges = drawing.drawn_edges();
    let pairs: Vec<_> = edges.iter().map(|(_, edge)| (edge.from, edge.to)).collect();
    let back = back_edges(drawing.nodes.len(), &pairs);
    let title = escape(&text::title(&drawing.title));
    let notes = drawing.notes.iter().map(|note| format!("\\n{}", escape(&text::title(note))));
    let notes: String = notes.collect();
    let mut dot = format!(
        "digraph \"{title}\" {{\n  \
         graph [label=\"{title}{notes}\", labelloc=t, fontname=\"monospace\", bgcolor=\"#ffffff\"];\n  \
         node [shape=box, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=9, fontcolor=\"#1f2328\"];\n"
    );
    for (index, node) in drawing.nodes.iter().enumerate() {
        dot += &boxed(index, node);
    }
    for ((_, edge), back) in edges.iter().zip(back) {
        dot += &arrow(edge, if back { of_back_edge(edge.look) } else { of_edge(edge.look) });
    }
    dot + "}\n"
}

fn boxed(index: usize, node: &DrawnNode) -> String {
    let paint = of_box(node.look);
    let label: String = shown(&node.lines).iter().map(|line| escape(line) + "\\l").collect();
    format!(
        "  n{index} [label=\"{label}\", style=\"{}\", fillcolor=\"{}\", color=\"{}\", \
         fontcolor=\"{}\", penwidth={}];\n",
        if paint.round { "filled,rounded" } else { "filled" },
        paint.fill,
        paint.line,
        paint.text,
        paint.weight
    )
}

fn arrow(edge: &DrawnEdge, paint: EdgePaint) -> String {
    let mut dot = format!(
        "  n{} -> n{} [color=\"{}\", penwidth={}",
        edge.from, edge.to, paint.line, paint.weight
    );
    let label = text::label(&edge.label);
    if !label.is_empty() {
        let _ = write!(dot, ", label=\"{}\"", escape(&label));
    }
    if paint.dashed {
        dot += ", style=dashed";
    }
    dot + "];\n"
}

/// Text between quotes. An ampersand is escaped because Graphviz reads entities in labels.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped += "\\\\",
            '"' => escaped += "\\\"",
            '&' => escaped += "&amp;",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{EdgeLook, Look};

    #[test]
    fn what_means_something_to_graphviz_is_escaped() {
        assert_eq!(escape("a\\n \"b\" &lt;"), "a\\\\n \\\"b\\\" &amp;lt;");
    }

    #[test]
    fn a_graph_is_text() {
        let node = |line: &str, look| DrawnNode { lines: vec![line.to_owned()], look };
        let drawing = Drawing {
            title: "f".to_owned(),
            notes: vec!["one \"note\"".to_owned()],
            nodes: vec![node("a", Look::Entry), node("b", Look::Changed)],
            edges: vec![
                DrawnEdge { from: 0, to: 1, label: "x\"".to_owned(), look: EdgeLook::Dashed },
                DrawnEdge { from: 1, to: 0, ..Default::default() },
                DrawnEdge { from: 1, to: 7, ..Default::default() },
            ],
        };
        let dot = dot(&drawing);
        assert!(dot.contains("graph [label=\"f\\none \\\"note\\\"\","), "{dot}");
        assert!(dot.contains("n0 [label=\"a\\l\", style=\"filled,rounded\""));
        assert!(dot.contains(
            "n0 -> n1 [color=\"#57606a\", penwidth=1.3, label=\"x\\\"\", style=dashed];"
        ));
        assert!(dot.contains("n1 -> n0 [color=\"#3f51c9\", penwidth=1.3];"));
        assert!(!dot.contains("n7"));
    }
}
