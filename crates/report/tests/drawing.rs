#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]
//! Pictures of random graphs: everything is drawn, and nothing is drawn over something else.

use std::time::{Duration, Instant};

use parallax_report::{Drawing, DrawnEdge, DrawnNode, EdgeLook, Look};

/// Pseudorandom numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[derive(Debug)]
struct Drawn {
    x: f64,
    y: f64,
    right: f64,
    bottom: f64,
}

fn node(numbers: &mut Numbers, index: usize) -> DrawnNode {
    const LOOKS: [Look; 8] = [
        Look::Plain,
        Look::Changed,
        Look::Affected,
        Look::Faded,
        Look::Entry,
        Look::Exit,
        Look::Output,
        Look::Meeting,
    ];
    let mut lines = vec![format!("block {index}")];
    lines.extend((0..numbers.below(6)).map(|line| "x".repeat(line * numbers.below(16))));
    DrawnNode { lines, look: LOOKS[numbers.below(8)] }
}

fn edge(numbers: &mut Numbers, nodes: usize) -> DrawnEdge {
    const LOOKS: [EdgeLook; 4] =
        [EdgeLook::Plain, EdgeLook::Dashed, EdgeLook::Faded, EdgeLook::Strong];
    let label = ["", "", "true", "case 17"][numbers.below(4)].to_owned();
    let (from, to) = (numbers.below(nodes), numbers.below(nodes));
    DrawnEdge { from, to, label, look: LOOKS[numbers.below(4)] }
}

fn some_drawing(seed: usize) -> Drawing {
    let mut numbers = Numbers(seed as u64 * 77_777 + 1);
    let nodes = 1 + numbers.below(40);
    let edges = numbers.below(nodes * 2 + 3);
    Drawing {
        title: format!("seed {seed}"),
        notes: Vec::new(),
        nodes: (0..nodes).map(|index| node(&mut numbers, index)).collect(),
        edges: (0..edges).map(|_| edge(&mut numbers, nodes)).collect(),
    }
}

fn attribute(element: &str, name: &str) -> Option<f64> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"')?.0.parse().ok()
}

/// The boxes by the numbers of their nodes, as often as they are drawn.
fn boxes(svg: &str) -> Vec<(usize, Drawn)> {
    let groups = svg.split("<g class=\"node ").skip(1);
    groups.map(|group| (attribute(group, "data-node").unwrap() as usize, drawn(group))).collect()
}

fn drawn(group: &str) -> Drawn {
    let rect = &group[group.find("<rect").unwrap()..];
    let of = |name| attribute(rect, name).unwrap();
    let (x, y) = (of("x"), of("y"));
    Drawn { x, y, right: x + of("width"), bottom: y + of("height") }
}

fn edges(svg: &str) -> Vec<(usize, usize, usize)> {
    let groups = svg.split("<g class=\"edge ").skip(1);
    let of = |group: &str, name| attribute(group, name).unwrap() as usize;
    groups.map(|g| (of(g, "data-edge"), of(g, "data-from"), of(g, "data-to"))).collect()
}

/// All points of all lines.
fn points(svg: &str) -> Vec<(f64, f64)> {
    let paths = svg.split(" d=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0);
    let numbers = paths.flat_map(|path| {
        path.split([' ', 'M', 'L', 'C', 'Z'])
            .filter(|part| !part.is_empty())
            .map(|n| n.parse().unwrap())
    });
    let numbers: Vec<f64> = numbers.collect();
    numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

fn apart(a: &Drawn, b: &Drawn) -> bool {
    a.right < b.x || b.right < a.x || a.bottom < b.y || b.bottom < a.y
}

#[test]
fn every_node_is_drawn_once_and_apart_from_others() {
    for seed in 0..300 {
        let drawing = some_drawing(seed);
        let boxes = boxes(&drawing.to_svg());
        let numbers: Vec<_> = boxes.iter().map(|(node, _)| *node).collect();
        assert_eq!(numbers, (0..drawing.nodes.len()).collect::<Vec<_>>(), "seed {seed}");
        for (index, (_, a)) in boxes.iter().enumerate() {
            let mut others = boxes[..index].iter();
            assert!(others.all(|(_, b)| apart(a, b)), "seed {seed}: box {index}");
        }
    }
}

#[test]
fn every_edge_is_drawn() {
    for seed in 0..300 {
        let drawing = some_drawing(seed);
        let svg = drawing.to_svg();
        let expected: Vec<_> =
            drawing.edges.iter().enumerate().map(|(i, edge)| (i, edge.from, edge.to)).collect();
        assert_eq!(edges(&svg), expected, "seed {seed}");
        let labels = drawing.edges.iter().filter(|edge| !edge.label.is_empty()).count();
        assert_eq!(svg.matches("<text class=\"label\"").count(), labels, "seed {seed}");
    }
}

#[test]
fn everything_is_inside_the_picture() {
    for seed in 0..300 {
        let svg = some_drawing(seed).to_svg();
        let (width, height) =
            (attribute(&svg, "width").unwrap(), attribute(&svg, "height").unwrap());
        let inside = |x: f64, y: f64| x >= 0.0 && y >= 0.0 && x <= width && y <= height;
        for (_, drawn) in boxes(&svg) {
            assert!(inside(drawn.x, drawn.y) && inside(drawn.right, drawn.bottom), "seed {seed}");
        }
        assert!(points(&svg).into_iter().all(|(x, y)| inside(x, y)), "seed {seed}");
    }
}

/// An edge keeps to gaps and lanes: no end of a piece of it is inside a box.
#[test]
fn no_edge_goes_through_a_box() {
    for seed in 0..300 {
        let svg = some_drawing(seed).to_svg();
        let boxes = boxes(&svg);
        let within = |drawn: &Drawn, x: f64, y: f64| {
            x > drawn.x + 0.2
                && x < drawn.right - 0.2
                && y > drawn.y + 0.2
                && y < drawn.bottom - 0.2
        };
        for (x, y) in points(&svg) {
            assert!(!boxes.iter().any(|(_, b)| within(b, x, y)), "seed {seed}: {x} {y}");
        }
    }
}

#[test]
fn a_diamond_with_a_loop_has_its_ranks_in_order() {
    let node = |line: &str| DrawnNode { lines: vec![line.to_owned()], look: Look::Plain };
    let edge = |from, to| DrawnEdge { from, to, ..Default::default() };
    let drawing = Drawing {
        title: "diamond".to_owned(),
        notes: Vec::new(),
        nodes: ["entry", "if", "then", "else", "join", "exit"].map(node).to_vec(),
        edges: vec![
            edge(0, 1),
            edge(1, 2),
            edge(1, 3),
            edge(2, 4),
            edge(3, 4),
            edge(4, 1),
            edge(4, 5),
        ],
    };
    let svg = drawing.to_svg();
    let boxes = boxes(&svg);
    let mut tops: Vec<_> = boxes.iter().map(|(_, drawn)| drawn.y).collect();
    assert_eq!(tops[2], tops[3]);
    assert!(boxes[2].1.right < boxes[3].1.x, "the first way is on the left");
    tops.remove(3);
    assert!(tops.is_sorted_by(|a, b| a < b), "{tops:?}");
    assert_eq!(svg.matches("class=\"edge plain back\"").count(), 1);
    assert!(svg.contains("class=\"edge plain back\" data-edge=\"5\""));
}

#[test]
fn notes_stand_between_the_title_and_the_boxes() {
    let plain = Drawing { nodes: vec![DrawnNode::default()], ..Default::default() };
    let noted = Drawing { notes: vec!["a < b".to_owned(); 2], ..plain.clone() };
    let (plain, noted) = (plain.to_svg(), noted.to_svg());
    assert_eq!(noted.matches("a &lt; b</text>").count(), 2);
    assert!(boxes(&noted)[0].1.y >= boxes(&plain)[0].1.y + 32.0);
}

#[test]
fn edges_of_no_node_are_left_out() {
    let drawing = Drawing {
        nodes: vec![DrawnNode::default()],
        edges: vec![DrawnEdge { from: 0, to: 5, ..Default::default() }],
        ..Default::default()
    };
    assert!(edges(&drawing.to_svg()).is_empty());
    assert!(Drawing::default().to_svg().ends_with("</svg>\n"));
}

/// A chain with jumps and loops, as large as functions get. The limit is for a build without
/// optimisation on a busy machine.
#[test]
fn three_thousand_nodes_take_seconds() {
    let mut numbers = Numbers(5);
    let mut edges: Vec<_> = (1..3_000).map(|to| (to - 1, to)).collect();
    edges.extend((0..1_500).map(|_| {
        let from = numbers.below(3_000);
        (from, (from + numbers.below(60)).saturating_sub(20).min(2_999))
    }));
    edges.extend((0..50).map(|_| (numbers.below(3_000), 2_999)));
    let edge = |(from, to)| DrawnEdge { from, to, ..Default::default() };
    let drawing = Drawing {
        title: "large".to_owned(),
        notes: Vec::new(),
        nodes: (0..3_000).map(|index| node(&mut numbers, index)).collect(),
        edges: edges.into_iter().map(edge).collect(),
    };
    let start = Instant::now();
    assert_eq!(boxes(&drawing.to_svg()).len(), 3_000);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
}
