//! Minimises a test on which two versions differ.

use parallax_compare::{Difference, Ignore};
use parallax_run::TestCase;

use crate::{
    CheckError, Pair, Plan, Running, Sink,
    confirm::{Clock, Confirmer, Shrinking, TimeLimits, Tries},
};

/// The divisor for tries if runs do not end.
const SLOWER: usize = 20;

/// The inputs of minimisation, besides the test.
pub struct Minimizing<'m> {
    /// The versions.
    pub pair: &'m Pair,
    /// The settings of runs.
    pub running: &'m Running,
    /// Parts of outputs that are ignored in comparisons.
    pub ignore: Ignore,
    /// The most smaller tests to try.
    pub tries: usize,
}

/// The outcome of minimisation.
#[derive(Clone, Debug, PartialEq)]
pub enum Minimal {
    /// The versions do not differ on the test.
    Same,
    /// They differ on it in some runs only.
    Unsteady,
    /// The smallest test that was found, and its difference.
    Found {
        /// The test.
        test: TestCase,
        /// Its difference.
        difference: Box<Difference>,
        /// Whether time ran out before everything was tried.
        is_out_of_time: bool,
    },
}

/// Finds the smallest and plainest test on which both versions still differ in the same way.
pub fn minimize(
    minimizing: &Minimizing<'_>,
    test: &TestCase,
    plan: &Plan,
    sink: &dyn Sink,
) -> Result<Minimal, CheckError> {
    let Minimizing { pair, running, ignore, tries } = minimizing;
    let natives = pair.subjects(running.memory)?;
    let time_limits = TimeLimits::of(running.limits.clone());
    let labs = running.start_labs(Confirmer::LABS, &[], sink)?;
    // The versions need not be analysed, so whether they read the time is unknown.
    let mut confirmer =
        Confirmer::new(labs, natives, &time_limits, ignore.clone(), Clock::Possible);
    confirmer.set_deadline(plan.end());
    sink.phase("running the test");
    if confirmer.look(test)?.difference.is_none() {
        return Ok(Minimal::Same);
    }
    let Some(found) = confirmer.confirm(test)? else { return Ok(Minimal::Unsteady) };
    sink.phase("making the test smaller");
    let tries = Tries { usual: *tries, slow: tries.div_ceil(SLOWER) };
    let until = plan.used_up();
    let smaller = confirmer.shrink(test, &found, Shrinking { tries, until }, &mut |_| true)?;
    let (test, difference) = smaller.unwrap_or_else(|| (test.clone(), found));
    sink.idle();
    Ok(Minimal::Found { test, difference: Box::new(difference), is_out_of_time: until.is_over() })
}
