//! Dominators, control dependence and reachability against their definitions, on random graphs.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

use parallax_program::graph::{Control, Controller, Digraph, Dominators};

/// Deterministic pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// A graph with entry 0 and the last node as exit, which every node can reach.
fn random_graph(chance: &mut Chance) -> (Digraph, u32) {
    let nodes = 2 + chance.below(12);
    let exit = nodes - 1;
    let mut edges = Vec::new();
    for from in 0..exit {
        for _ in 0..1 + chance.below(3) {
            // Backward and cross edges as well: no structured program looks like this.
            edges.push((from, chance.below(nodes)));
        }
    }
    for from in 0..exit {
        if !reaches(&Digraph::new(nodes as usize, &edges), from, exit, None) {
            edges.push((from, exit));
        }
    }
    (Digraph::new(nodes as usize, &edges), exit)
}

/// Whether a path leads from one node to another without `without`.
fn reaches(graph: &Digraph, from: u32, to: u32, without: Option<u32>) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        if Some(node) == without || std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        stack.extend(graph.successors(node));
    }
    seen[to as usize]
}

/// A node dominates another one if no path avoids it.
fn dominates(graph: &Digraph, root: u32, above: u32, node: u32) -> bool {
    above == node || !reaches(graph, root, node, Some(above))
}

fn check_dominators(graph: &Digraph, root: u32) {
    let dominators = Dominators::new(graph, root);
    for node in 0..graph.len() as u32 {
        let is_reached = reaches(graph, root, node, None);
        assert_eq!(dominators.is_reached(node), is_reached, "{graph:?} {node}");
        for above in (0..graph.len() as u32).filter(|_| is_reached) {
            let expected = dominates(graph, root, above, node);
            assert_eq!(dominators.dominates(above, node), expected, "{graph:?} {above} {node}");
        }
    }
}

#[test]
fn dominators_and_post_dominators_are_what_no_way_avoids() {
    let mut chance = Chance(1);
    for _ in 0..2000 {
        let (graph, exit) = random_graph(&mut chance);
        check_dominators(&graph, 0);
        check_dominators(&graph.reversed(), exit);
    }
}

#[test]
fn a_node_depends_on_edges_that_it_follows_for_certain_and_not_otherwise() {
    let mut chance = Chance(2);
    for _ in 0..2000 {
        let (graph, exit) = random_graph(&mut chance);
        let control = Control::of_graph(&graph, 0, exit);
        let back = graph.reversed();
        let follows = |node, start| dominates(&back, exit, node, start);
        for node in 0..exit {
            let mut expected = Vec::new();
            if follows(node, 0) {
                expected.push(Controller::Entry);
            }
            for from in 0..exit {
                for number in graph.edges(from) {
                    let always = node != from && follows(node, from);
                    if follows(node, graph.target(number))
                        && !always
                        && graph.successors(from).len() > 1
                    {
                        expected.push(Controller::Edge { from, number: number as u32 });
                    }
                }
            }
            let mut found = control.controllers(node).to_vec();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{graph:?} {node}");
        }
    }
}

#[test]
fn components_are_nodes_that_reach_each_other() {
    let mut chance = Chance(3);
    for _ in 0..1000 {
        let (graph, _) = random_graph(&mut chance);
        let components = graph.components();
        for one in 0..graph.len() as u32 {
            for other in 0..graph.len() as u32 {
                let both = reaches(&graph, one, other, None) && reaches(&graph, other, one, None);
                let same = components[one as usize] == components[other as usize];
                assert_eq!(same, both, "{graph:?} {one} {other}");
            }
        }
        for (from, to) in graph.all_edges() {
            assert!(components[from as usize] >= components[to as usize], "{graph:?}");
        }
    }
}
