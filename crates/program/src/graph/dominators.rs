//! Dominators.
//!
//! The algorithm is semi-NCA: semidominators as Lengauer and Tarjan compute them, and then the
//! nearest common ancestor in the growing tree. It is close to linear on all graphs, also on
//! irreducible ones.

use super::Digraph;

/// The dominator tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// The immediate dominators; of the root and of unreachable nodes, themselves.
    parents: Vec<u32>,
    reached: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// The dominators in a graph whose first node is `root`.
    pub fn new(graph: &Digraph, root: u32) -> Dominators {
        let spanning = Spanning::new(graph, root);
        let semidominators = semidominators(&graph.reversed(), &spanning);
        let mut nearest = spanning.parents.clone();
        for node in 1..nearest.len() {
            let mut above = nearest[node];
            while above > semidominators[node] {
                above = nearest[above as usize];
            }
            nearest[node] = above;
        }
        let mut parents: Vec<u32> = (0..graph.len() as u32).collect();
        for (number, node) in spanning.nodes.iter().enumerate() {
            parents[*node as usize] = spanning.nodes[nearest[number] as usize];
        }
        let reached = spanning.numbers.iter().map(|number| *number != NONE).collect();
        Dominators { parents, reached }
    }

    /// The immediate dominator; `None` for the root and for unreachable nodes.
    pub fn parent(&self, node: u32) -> Option<u32> {
        let parent = self.parents[node as usize];
        (parent != node).then_some(parent)
    }

    /// Whether a node is reachable.
    pub fn is_reached(&self, node: u32) -> bool {
        self.reached[node as usize]
    }

    /// A node and its dominators, the nearest first.
    pub fn chain(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }

    /// Whether `above` is on all paths to `node`.
    pub fn dominates(&self, above: u32, node: u32) -> bool {
        self.chain(node).any(|other| other == above)
    }
}

/// A depth-first tree of the reachable nodes, numbered in preorder.
struct Spanning {
    nodes: Vec<u32>,
    numbers: Vec<u32>,
    /// By number, of the root itself.
    parents: Vec<u32>,
}

impl Spanning {
    fn new(graph: &Digraph, root: u32) -> Spanning {
        let mut tree =
            Spanning { nodes: Vec::new(), numbers: vec![NONE; graph.len()], parents: Vec::new() };
        let mut stack = vec![(root, 0)];
        while let Some((node, parent)) = stack.pop() {
            if tree.numbers[node as usize] != NONE {
                continue;
            }
            let number = tree.nodes.len() as u32;
            tree.numbers[node as usize] = number;
            tree.nodes.push(node);
            tree.parents.push(parent);
            stack.extend(graph.successors(node).iter().rev().map(|target| (*target, number)));
        }
        tree
    }
}

fn semidominators(predecessors: &Digraph, spanning: &Spanning) -> Vec<u32> {
    let size = spanning.nodes.len();
    let mut forest = Forest {
        ancestors: vec![NONE; size],
        labels: (0..size as u32).collect(),
        semidominators: (0..size as u32).collect(),
    };
    for number in (1..size).rev() {
        let mut least = forest.semidominators[number];
        for predecessor in predecessors.successors(spanning.nodes[number]) {
            let other = spanning.numbers[*predecessor as usize];
            if other != NONE {
                let label = forest.label(other);
                least = least.min(forest.semidominators[label as usize]);
            }
        }
        forest.semidominators[number] = least;
        forest.ancestors[number] = spanning.parents[number];
    }
    forest.semidominators
}

/// The processed part of the tree, with compressed paths.
struct Forest {
    ancestors: Vec<u32>,
    /// The node with the least semidominator on the compressed path.
    labels: Vec<u32>,
    semidominators: Vec<u32>,
}

impl Forest {
    fn label(&mut self, node: u32) -> u32 {
        if self.ancestors[node as usize] == NONE {
            return node;
        }
        let mut path = vec![node];
        let mut top = self.ancestors[node as usize];
        while self.ancestors[top as usize] != NONE {
            path.push(top);
            top = self.ancestors[top as usize];
        }
        // The last one is right below a root of the forest, and its label holds.
        let mut above = path.pop().unwrap_or(node);
        while let Some(node) = path.pop() {
            let (own, other) = (self.labels[node as usize], self.labels[above as usize]);
            if self.semidominators[other as usize] < self.semidominators[own as usize] {
                self.labels[node as usize] = other;
            }
            self.ancestors[node as usize] = top;
            above = node;
        }
        self.labels[node as usize]
    }
}
