//! One version of a program, with what everybody asks about it.

use crate::{
    PointsTo, Program, Statements,
    dependence::Dependence,
    graph::{CallGraph, WholeFlow},
};

/// A program and its graphs.
pub struct Version {
    /// The program.
    pub program: Program,
    /// What its pointers can point to.
    pub points_to: PointsTo,
    /// What can follow what.
    pub whole: WholeFlow,
    /// Its statements.
    pub statements: Statements,
}

impl Version {
    /// Analyses a program.
    pub fn new(program: Program) -> Version {
        let points_to = PointsTo::analyse(&program);
        let whole = WholeFlow::new(&program, CallGraph::new(&program, &points_to));
        let statements = Statements::new(&program);
        Version { program, points_to, whole, statements }
    }

    /// What depends on what in it.
    pub fn dependence(&self) -> Dependence<'_> {
        Dependence::new(&self.program, &self.whole, &self.points_to)
    }
}
