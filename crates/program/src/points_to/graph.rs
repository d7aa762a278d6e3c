//! Sets that flow along edges: the solver of the analysis, without any knowledge of programs.
//!
//! Wave propagation: in each round the cycles reachable from changed nodes are merged, and the
//! changes are propagated through the rest in topological order, so that each node passes on all of
//! them at once. Changed nodes are reported, and the owner of their rules adds edges for the next
//! round.

use std::{cell::Cell, collections::HashSet};

use super::set::{Mask, Quick, Set};

/// A node, by its number; after a merge, both numbers mean the same node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(pub(super) u32);

/// Nodes with sets, and edges along which their members flow.
#[derive(Default)]
pub(super) struct Graph {
    /// The union-find parent of each node, with path compression.
    parents: Vec<Cell<u32>>,
    sets: Vec<Set>,
    /// The members of each set that have not been propagated yet.
    news: Vec<Set>,
    edges: Vec<Vec<u32>>,
    known: HashSet<(u32, u32), Quick>,
    /// The nodes with new members.
    excited: Vec<u32>,
    /// Whether each node is watched.
    watched: Vec<bool>,
    search: Search,
}

/// New members of a watched node.
pub(super) struct Heard {
    pub(super) node: Node,
    pub(super) fresh: Set,
}

/// The result of one wave.
pub(super) struct Wave {
    /// The new members of watched nodes; empty if there were none.
    pub(super) heard: Vec<Heard>,
    /// The nodes that were merged in the wave.
    pub(super) mergers: Vec<Merger>,
    /// All nodes with new members.
    pub(super) grown: Vec<Node>,
}

/// Two merged nodes.
pub(super) struct Merger {
    pub(super) first: Node,
    /// The node merged into the first.
    pub(super) other: Node,
    /// Members of the first that the other one has not propagated.
    pub(super) missing: Set,
}

impl Graph {
    pub(super) fn node(&mut self) -> Node {
        let id = self.parents.len() as u32;
        self.parents.push(Cell::new(id));
        self.sets.push(Set::default());
        self.news.push(Set::default());
        self.edges.push(Vec::new());
        self.watched.push(false);
        Node(id)
    }

    /// The representative of a node.
    pub(super) fn find(&self, node: Node) -> Node {
        let mut id = node.0;
        loop {
            let parent = self.parents[id as usize].get();
            if parent == id {
                return Node(id);
            }
            let next = self.parents[parent as usize].get();
            self.parents[id as usize].set(next);
            id = next;
        }
    }

    pub(super) fn set(&self, node: Node) -> &Set {
        &self.sets[self.find(node).0 as usize]
    }

    /// Reports new members of a node from now on.
    pub(super) fn watch(&mut self, node: Node) {
        let node = self.find(node);
        self.watched[node.0 as usize] = true;
    }

    pub(super) fn insert(&mut self, node: Node, member: u32) {
        let id = self.find(node).0;
        if self.sets[id as usize].insert(member) {
            self.excite(id);
            self.news[id as usize].insert(member);
        }
    }

    pub(super) fn add(&mut self, node: Node, members: &Set) {
        let id = self.find(node).0;
        let fresh = self.sets[id as usize].add(members);
        if !fresh.is_empty() {
            self.excite(id);
            self.news[id as usize].unite(fresh);
        }
    }

    pub(super) fn flow(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from).0, self.find(to).0);
        if from == to || !self.known.insert((from, to)) {
            return;
        }
        self.edges[from as usize].push(to);
        let set = std::mem::take(&mut self.sets[from as usize]);
        let fresh = self.sets[to as usize].add(&set);
        self.sets[from as usize] = set;
        if !fresh.is_empty() {
            self.excite(to);
            self.news[to as usize].unite(fresh);
        }
    }

    /// Merges two nodes, unless they are already.
    pub(super) fn unite(&mut self, first: Node, other: Node) -> Option<Merger> {
        let (first, other) = (self.find(first), self.find(other));
        if first == other {
            return None;
        }
        let mut mergers = Vec::new();
        let first = self.merge(&[first.0, other.0], &mut mergers);
        self.excited.push(first);
        mergers.pop()
    }

    /// Replaces members of all sets.
    pub(super) fn replace(&mut self, replaced: &Mask, by: impl Fn(u32) -> u32) {
        for id in 0..self.sets.len() {
            let gone = self.sets[id].take(replaced);
            if gone.is_empty() {
                continue;
            }
            self.news[id].take(replaced);
            let mut members: Vec<u32> = gone.iter().map(&by).collect();
            members.dedup();
            for member in members {
                self.insert(Node(id as u32), member);
            }
        }
    }

    fn excite(&mut self, id: u32) {
        if self.news[id as usize].is_empty() {
            self.excited.push(id);
        }
    }

    /// Propagates all new members.
    pub(super) fn wave(&mut self) -> Wave {
        let mut roots: Vec<u32> = std::mem::take(&mut self.excited);
        roots.iter_mut().for_each(|id| *id = self.find(Node(*id)).0);
        let mut mergers = Vec::new();
        let order = self.order(&roots, &mut mergers);
        let (mut heard, mut grown) = (Vec::new(), Vec::new());
        for &id in &order {
            let fresh = std::mem::take(&mut self.news[id as usize]);
            if fresh.is_empty() {
                continue;
            }
            self.pass_on(id, &fresh);
            grown.push(Node(id));
            if self.watched[id as usize] {
                heard.push(Heard { node: Node(id), fresh });
            }
        }
        Wave { heard, mergers, grown }
    }

    fn pass_on(&mut self, id: u32, fresh: &Set) {
        if self.edges[id as usize].iter().any(|to| self.parents[*to as usize].get() != *to) {
            self.tidy(id);
        }
        let edges = std::mem::take(&mut self.edges[id as usize]);
        for &to in &edges {
            let new = self.sets[to as usize].add(fresh);
            if !new.is_empty() {
                self.news[to as usize].unite(new);
            }
        }
        self.edges[id as usize] = edges;
    }

    /// The reachable nodes in topological order, with cycles merged.
    fn order(&mut self, roots: &[u32], mergers: &mut Vec<Merger>) -> Vec<u32> {
        let mut search = std::mem::take(&mut self.search);
        search.run(self, roots);
        let mut order = Vec::with_capacity(search.groups.len());
        for group in search.groups.iter().rev() {
            let members = &search.members[group.0..group.1];
            order.push(self.merge(members, mergers));
        }
        self.search = search;
        order
    }

    /// Merges nodes, and records the mergers. Members that one of them lacked are propagated along
    /// its own edges only: a big set that small ones are added to one after the other is not
    /// propagated again each time.
    fn merge(&mut self, members: &[u32], mergers: &mut Vec<Merger>) -> u32 {
        // The cost of the others: each of their edges, and all members of their sets.
        let cost = |id: &u32| self.edges[*id as usize].len() * 8 + self.sets[*id as usize].width();
        let first = members.iter().copied().max_by_key(cost).unwrap_or_default();
        if members.len() < 2 {
            return first;
        }
        let mut others = Vec::with_capacity(members.len() - 1);
        for &other in members.iter().filter(|other| **other != first) {
            let theirs = std::mem::take(&mut self.sets[other as usize]);
            let fresh = self.sets[first as usize].add(&theirs);
            self.news[first as usize].unite(fresh);
            let waiting = std::mem::take(&mut self.news[other as usize]);
            others.push((other, theirs.minus(&waiting)));
            self.watched[first as usize] |= self.watched[other as usize];
            self.parents[other as usize].set(first);
        }
        for (other, passed) in others {
            let missing = self.sets[first as usize].minus(&passed);
            for to in std::mem::take(&mut self.edges[other as usize]) {
                let to = self.find(Node(to)).0;
                if to != first && self.known.insert((first, to)) {
                    self.edges[first as usize].push(to);
                    self.add(Node(to), &missing);
                }
            }
            mergers.push(Merger { first: Node(first), other: Node(other), missing });
        }
        first
    }

    /// Removes duplicate edges of a node.
    fn tidy(&mut self, id: u32) {
        let mut edges = std::mem::take(&mut self.edges[id as usize]);
        edges.iter_mut().for_each(|to| *to = self.find(Node(*to)).0);
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|to| *to != id);
        self.known.extend(edges.iter().map(|to| (id, *to)));
        self.edges[id as usize] = edges;
    }
}

/// Tarjan's search for strongly connected components, without recursion.
#[derive(Default)]
struct Search {
    /// The order in which nodes were first seen, from 1; 0 for unseen ones.
    seen: Vec<u32>,
    /// The earliest node that it leads back to.
    low: Vec<u32>,
    is_open: Vec<bool>,
    stack: Vec<u32>,
    path: Vec<(u32, usize)>,
    /// The components in reverse topological order, as ranges of `members`.
    groups: Vec<(usize, usize)>,
    members: Vec<u32>,
}

impl Search {
    fn run(&mut self, graph: &Graph, roots: &[u32]) {
        for &member in &self.members {
            self.seen[member as usize] = 0;
        }
        self.groups.clear();
        self.members.clear();
        self.seen.resize(graph.parents.len(), 0);
        self.low.resize(graph.parents.len(), 0);
        self.is_open.resize(graph.parents.len(), false);
        let mut count = 0;
        for &root in roots {
            if self.seen[root as usize] == 0 {
                self.visit(graph, root, &mut count);
            }
        }
    }

    fn visit(&mut self, graph: &Graph, root: u32, count: &mut u32) {
        self.enter(root, count);
        while let Some((id, next)) = self.path.last_mut() {
            let id = *id;
            match graph.edges[id as usize].get(*next) {
                Some(&to) => {
                    *next += 1;
                    let to = graph.find(Node(to)).0;
                    if self.seen[to as usize] == 0 {
                        self.enter(to, count);
                    } else if self.is_open[to as usize] {
                        self.lower(id, self.seen[to as usize]);
                    }
                }
                None => {
                    self.path.pop();
                    self.leave(id);
                }
            }
        }
    }

    fn enter(&mut self, id: u32, count: &mut u32) {
        *count += 1;
        self.seen[id as usize] = *count;
        self.low[id as usize] = *count;
        self.is_open[id as usize] = true;
        self.stack.push(id);
        self.path.push((id, 0));
    }

    fn lower(&mut self, id: u32, to: u32) {
        let low = &mut self.low[id as usize];
        *low = (*low).min(to);
    }

    fn leave(&mut self, id: u32) {
        let low = self.low[id as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.lower(parent, low);
        }
        if low != self.seen[id as usize] {
            return;
        }
        let start = self.members.len();
        while let Some(member) = self.stack.pop() {
            self.is_open[member as usize] = false;
            self.members.push(member);
            if member == id {
                break;
            }
        }
        self.groups.push((start, self.members.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(graph: &mut Graph) {
        while !graph.excited.is_empty() {
            graph.wave();
        }
    }

    #[test]
    fn members_flow_along_edges_and_around_cycles() {
        let mut graph = Graph::default();
        let nodes: Vec<Node> = (0..5).map(|_| graph.node()).collect();
        for (from, to) in [(0, 1), (1, 2), (2, 1), (2, 3)] {
            graph.flow(nodes[from], nodes[to]);
        }
        graph.insert(nodes[0], 7);
        settle(&mut graph);
        graph.insert(nodes[2], 9);
        settle(&mut graph);
        let members = |node: usize| graph.set(nodes[node]).iter().collect::<Vec<_>>();
        assert_eq!(
            [members(0), members(1), members(3), members(4)],
            [vec![7], vec![7, 9], vec![7, 9], vec![]]
        );
        assert_eq!(graph.find(nodes[1]), graph.find(nodes[2]));
    }

    #[test]
    fn nodes_that_become_one_tell_those_behind_them_what_they_lacked_and_nothing_else() {
        let mut graph = Graph::default();
        let nodes: Vec<Node> = (0..5).map(|_| graph.node()).collect();
        for (from, to) in [(0, 2), (0, 3), (1, 4)] {
            graph.flow(nodes[from], nodes[to]);
            graph.watch(nodes[to]);
        }
        graph.add(nodes[0], &[1, 2].into_iter().collect());
        graph.add(nodes[1], &[2, 3].into_iter().collect());
        settle(&mut graph);
        let merger = graph.unite(nodes[0], nodes[1]).map(|merger| merger.missing);
        assert_eq!(merger, Some([1].into_iter().collect()));
        let heard = graph.wave().heard.into_iter();
        let mut heard: Vec<_> = heard.map(|it| (it.node, it.fresh.iter().collect())).collect();
        heard.sort_unstable();
        assert_eq!(heard, [(nodes[2], vec![3]), (nodes[3], vec![3]), (nodes[4], vec![1])]);
    }

    #[test]
    fn what_replaces_a_member_is_news_and_so_is_what_only_one_of_two_knew() {
        let mut graph = Graph::default();
        let nodes: Vec<Node> = (0..4).map(|_| graph.node()).collect();
        graph.flow(nodes[0], nodes[2]);
        graph.flow(nodes[1], nodes[3]);
        graph.insert(nodes[0], 1);
        graph.insert(nodes[1], 2);
        settle(&mut graph);
        graph.unite(nodes[0], nodes[1]);
        let mut mask = Mask::default();
        mask.insert(2);
        graph.replace(&mask, |_| 5);
        settle(&mut graph);
        for node in nodes {
            assert_eq!(graph.set(node).iter().collect::<Vec<_>>(), [1, 5]);
        }
    }
}
