//! The solver of a search, and the static facts about a program's code.

use std::{sync::Arc, time::Duration};

use parallax_instrument::SymbolicBuild;
use parallax_search::{Cases, Code};
use parallax_solve::{Backend, Effort, Solver, SolverProgram, Z3};

use crate::CheckError;

/// The time limit of a solver command for one query, if the whole search has longer.
const LONGEST_QUERY: Duration = Duration::from_secs(10);

/// A solver that uses an external command, or Z3 by default.
pub fn solver(command: Option<&str>, budget: Duration) -> Solver {
    let smt: Box<dyn Backend> = match command {
        Some(command) => Box::new(SolverProgram::new(command).with_time(budget.min(LONGEST_QUERY))),
        None => Box::new(Z3::new()),
    };
    Solver::new(Effort::default(), Some(smt))
}

/// Refuses a solver that cannot be started: all of its queries would stay unknown.
pub fn check_solver(command: Option<&str>) -> Result<(), CheckError> {
    let Some(command) = command else { return Ok(()) };
    let started = SolverProgram::new(command).can_start();
    started.map_err(|why| CheckError::because(format!("start the solver {command}"), why))
}

/// The static facts about a program's code for a search.
pub fn code(symbolic: &Arc<SymbolicBuild>) -> Code {
    let branches = symbolic.places.ways(&symbolic.model).map(|(number, _)| number).collect();
    let words = symbolic.model.words();
    Code { cases: cases(symbolic), branches, words }
}

pub(crate) fn cases(build: &Arc<SymbolicBuild>) -> Cases {
    let build = Arc::clone(build);
    Arc::new(move |site| build.cases(site))
}
