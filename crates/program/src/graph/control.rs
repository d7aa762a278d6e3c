//! Control dependence: which branches decide whether a node is executed.
//!
//! A node depends on an edge if it is executed for certain once the edge is taken, and may not be
//! executed otherwise. A node that is executed whenever the function is depends on the call.

use super::{Digraph, Dominators, Flow};

/// A cause of the execution of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Controller {
    /// The function is called.
    Entry,
    /// This edge is taken: its source, and its number in the graph.
    Edge {
        /// Its source.
        from: u32,
        /// Its number.
        number: u32,
    },
}

/// The control dependence of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The controllers of each node.
    controllers: Vec<Vec<Controller>>,
    /// The nodes that depend on each edge.
    controlled: Vec<Vec<u32>>,
}

impl Control {
    /// The control dependence of a flow.
    pub fn new(flow: &Flow) -> Control {
        match flow.segments.is_empty() {
            true => Control::default(),
            false => Control::of_graph(&flow.graph, 0, flow.exit()),
        }
    }

    /// The control dependence of a graph with one entry, all of whose nodes reach the exit.
    pub fn of_graph(graph: &Digraph, entry: u32, exit: u32) -> Control {
        let after = Dominators::new(&graph.reversed(), exit);
        let mut control = Control {
            controllers: vec![Vec::new(); graph.len()],
            controlled: vec![Vec::new(); graph.edge_count()],
        };
        for node in after.chain(entry).take_while(|node| *node != exit) {
            control.controllers[node as usize].push(Controller::Entry);
        }
        for from in 0..graph.len() as u32 {
            if graph.successors(from).len() < 2 {
                continue;
            }
            let join = after.parent(from);
            for number in graph.edges(from) {
                let chain = after.chain(graph.target(number));
                for node in chain.take_while(|node| Some(*node) != join && *node != exit) {
                    let controller = Controller::Edge { from, number: number as u32 };
                    control.controllers[node as usize].push(controller);
                    control.controlled[number].push(node);
                }
            }
        }
        control
    }

    /// The controllers of a node.
    pub fn controllers(&self, node: u32) -> &[Controller] {
        &self.controllers[node as usize]
    }

    /// The nodes that depend on an edge.
    pub fn controlled(&self, edge: usize) -> &[u32] {
        &self.controlled[edge]
    }
}
