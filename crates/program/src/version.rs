//! One version of a program, with its shared analyses.

use crate::{
    PointsTo, Program, Statements,
    dependence::Dependence,
    graph::{CallGraph, WholeFlow},
};

/// A program and its graphs.
pub struct Version {
    /// The program.
    pub program: Program,
    /// Its points-to sets.
    pub points_to: PointsTo,
    /// Its control flow.
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

    /// Its dependences.
    pub fn dependence(&self) -> Dependence<'_> {
        Dependence::new(&self.program, &self.whole, &self.points_to)
    }
}
