//! A program made from a C text whose lines have names: `/*@change*/`.

use std::collections::BTreeSet;

use parallax_change::{Definitions, Distances, Relevance};
use parallax_program::{
    BlockId, FunctionId, PointsTo, Program, SiteId, Statements, Version,
    dependence::{Dependence, Extent, Follow, Slice},
    graph::{NodeId, WholeFlow},
};

use super::support::{DEBUG, program};

pub(crate) struct Subject {
    text: String,
    pub(crate) program: Program,
    pub(crate) points_to: PointsTo,
    pub(crate) whole: WholeFlow,
    pub(crate) statements: Statements,
}

impl Subject {
    pub(crate) fn new(text: &str) -> Subject {
        let version = Version::new(program(&[("a.c", text)], DEBUG));
        let Version { program, points_to, whole, statements } = version;
        Subject { text: text.to_owned(), program, points_to, whole, statements }
    }

    pub(crate) fn dependence(&self) -> Dependence<'_> {
        Dependence::new(&self.program, &self.whole, &self.points_to)
    }

    /// The line that has a name.
    pub(crate) fn line(&self, name: &str) -> u32 {
        let mark = format!("/*@{name}*/");
        let line = self.text.lines().position(|line| line.contains(&mark));
        line.unwrap_or_else(|| panic!("no line is called {name}")) as u32 + 1
    }

    /// The name of a line, or its number.
    pub(crate) fn name(&self, line: u32) -> String {
        let text = self.text.lines().nth(line as usize - 1).unwrap_or_default();
        let name = text.split_once("/*@").and_then(|(_, rest)| rest.split_once("*/"));
        name.map_or_else(|| line.to_string(), |(name, _)| name.to_owned())
    }

    /// The instructions of a line.
    pub(crate) fn sites(&self, name: &str) -> Vec<SiteId> {
        let line = self.line(name);
        let on_line = self
            .program
            .instructions()
            .filter(|it| it.location.is_some_and(|location| location.line == line));
        on_line.map(|instruction| instruction.site).collect()
    }

    pub(crate) fn nodes(&self, name: &str) -> Vec<NodeId> {
        self.sites(name).into_iter().filter_map(|site| self.whole.node_at(site)).collect()
    }

    pub(crate) fn distances(&self, name: &str) -> Distances {
        Distances::to(&self.whole, &self.nodes(name))
    }

    pub(crate) fn distances_through_values(&self, name: &str) -> Distances {
        let definitions = Definitions::new(&self.program);
        Distances::through_values(&self.whole, &definitions, &self.nodes(name))
    }

    pub(crate) fn relevance(&self, name: &str) -> Relevance {
        Relevance::of(&self.whole, &self.nodes(name))
    }

    /// The branches of a line, in the order of the code.
    pub(crate) fn branches(&self, name: &str) -> Vec<(FunctionId, BlockId)> {
        let line = self.line(name);
        let mut found = Vec::new();
        for (id, function) in self.program.defined() {
            for (block, contents) in (0..).map(BlockId).zip(&function.blocks) {
                let location = contents.instructions.last().unwrap().location;
                let is_here = location.is_some_and(|location| location.line == line);
                if is_here && contents.successors.len() > 1 {
                    found.push((id, block));
                }
            }
        }
        found
    }

    /// The distance of each way of the first branch of a line.
    pub(crate) fn ways(&self, distances: &Distances, name: &str) -> Vec<Option<u32>> {
        let (function, block) = self.branches(name)[0];
        let count = self.program.at(function).blocks[block.0 as usize].successors.len();
        let ways = 0..count as u32;
        ways.map(|way| distances.of_way(&self.whole, function, block, way)).collect()
    }

    /// The names of the lines that a slice touches.
    pub(crate) fn lines(&self, slice: &Slice) -> BTreeSet<String> {
        let sites = self.program.instructions().filter(|it| slice.contains(it.site));
        let lines = sites.filter_map(|instruction| instruction.location);
        let named = lines.filter(|it| it.line > 0).map(|location| self.name(location.line));
        named.filter(|name| name.parse::<u32>().is_err()).collect()
    }

    /// The names of the lines that depend on one.
    pub(crate) fn dependents(&self, name: &str) -> BTreeSet<String> {
        let slice = self.dependence().slice(&self.sites(name), Follow::Dependents, Extent::All);
        self.lines(&slice)
    }

    /// The names of the lines that one depends on.
    pub(crate) fn sources(&self, name: &str) -> BTreeSet<String> {
        let slice = self.dependence().slice(&self.sites(name), Follow::Sources, Extent::All);
        self.lines(&slice)
    }
}

pub(crate) fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
