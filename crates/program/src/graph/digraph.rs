//! A directed graph over numbers.

/// A directed graph over the numbers below some bound. Edges keep the order in which they were given
/// and may repeat: two cases of a switch may lead to one block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digraph {
    /// The first edge of each node, and the end of the last ones.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Digraph {
    /// A graph with edges in any order.
    pub fn new(nodes: usize, edges: &[(u32, u32)]) -> Digraph {
        let mut starts = vec![0; nodes + 1];
        for (from, _) in edges {
            starts[*from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for (from, to) in edges {
            let place = &mut next[*from as usize];
            targets[*place as usize] = *to;
            *place += 1;
        }
        Digraph { starts, targets }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The successors of a node.
    pub fn successors(&self, node: u32) -> &[u32] {
        &self.targets[self.edges(node)]
    }

    /// The numbers of the edges of a node, among all edges.
    pub fn edges(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }

    /// The target of an edge.
    pub fn target(&self, edge: usize) -> u32 {
        self.targets[edge]
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// All edges, by their numbers.
    pub fn all_edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let nodes = 0..self.len() as u32;
        nodes.flat_map(|node| self.successors(node).iter().map(move |target| (node, *target)))
    }

    /// The graph with all edges reversed.
    pub fn reversed(&self) -> Digraph {
        let edges: Vec<_> = self.all_edges().map(|(from, to)| (to, from)).collect();
        Digraph::new(self.len(), &edges)
    }

    /// The nodes reachable from `root` in reverse post-order.
    pub fn reverse_post_order(&self, root: u32) -> Vec<u32> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.len()];
        let mut stack = vec![(root, 0)];
        seen[root as usize] = true;
        while let Some((node, next)) = stack.last_mut() {
            match self.successors(*node).get(*next) {
                Some(&target) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// The strongly connected component of each node. No edge leads from a lower number to a higher
    /// one.
    pub fn components(&self) -> Vec<u32> {
        Tarjan::run(self)
    }
}

/// Tarjan's algorithm, without recursion.
struct Tarjan<'g> {
    graph: &'g Digraph,
    /// The order in which nodes were first seen, from 1.
    index: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    open: Vec<u32>,
    next: u32,
    count: u32,
}

const NONE: u32 = u32::MAX;

impl Tarjan<'_> {
    fn run(graph: &Digraph) -> Vec<u32> {
        let size = graph.len();
        let mut state = Tarjan {
            graph,
            index: vec![0; size],
            low: vec![0; size],
            component: vec![NONE; size],
            open: Vec::new(),
            next: 0,
            count: 0,
        };
        for root in 0..size as u32 {
            if state.index[root as usize] == 0 {
                state.visit(root);
            }
        }
        state.component
    }

    fn enter(&mut self, node: u32, stack: &mut Vec<(u32, usize)>) {
        self.next += 1;
        self.index[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.open.push(node);
        stack.push((node, 0));
    }

    fn visit(&mut self, root: u32) {
        let mut stack = Vec::new();
        self.enter(root, &mut stack);
        while let Some((node, next)) = stack.last_mut() {
            let at = *node as usize;
            let Some(&target) = self.graph.successors(*node).get(*next) else {
                stack.pop();
                self.leave(at as u32);
                if let Some((parent, _)) = stack.last() {
                    let parent = *parent as usize;
                    self.low[parent] = self.low[parent].min(self.low[at]);
                }
                continue;
            };
            *next += 1;
            match self.index[target as usize] {
                0 => self.enter(target, &mut stack),
                seen if self.component[target as usize] == NONE => {
                    self.low[at] = self.low[at].min(seen);
                }
                _ => {}
            }
        }
    }

    /// Closes the component of a node if it is the first of it.
    fn leave(&mut self, node: u32) {
        if self.low[node as usize] != self.index[node as usize] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.count;
            if member == node {
                break;
            }
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_against_the_edges() {
        let graph = Digraph::new(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 4), (3, 5), (5, 3)]);
        let component = graph.components();
        assert_eq!(component[1], component[2]);
        assert_eq!(component[3], component[5]);
        assert!(component[0] > component[1] && component[1] > component[3]);
        assert_ne!(component[4], component[0]);
    }

    #[test]
    fn edges_keep_their_order() {
        let graph = Digraph::new(3, &[(1, 2), (0, 2), (0, 1), (0, 2)]);
        assert_eq!(graph.successors(0), [2, 1, 2]);
        assert_eq!(graph.reversed().successors(2), [0, 0, 1]);
        assert_eq!(graph.reverse_post_order(0), [0, 1, 2]);
    }
}
