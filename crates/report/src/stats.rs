//! Where the time and the work of a search went.

use std::collections::BTreeMap;

use serde::Serialize;

/// Where the time and the work of a search went, all workers together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stats {
    /// What each generator has brought and cost, by its name; given tests are `given`.
    pub generators: BTreeMap<&'static str, GeneratorStats>,
    /// Seconds that workers waited for the last jobs of rounds.
    pub waiting: f64,
    /// Seconds that the search waited while candidates were confirmed, minimised and credited to changes, by
    /// what was done.
    pub phases: BTreeMap<&'static str, f64>,
}

/// What a generator has brought and cost.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct GeneratorStats {
    /// Jobs that it has proposed.
    pub jobs: u64,
    /// Inputs that were tried.
    pub inputs: u64,
    /// Ways of branches that these were the first to go.
    pub new: u64,
    /// Seconds that runs took, that reading traces and building queries took, and that solvers took.
    pub running: f64,
    /// See `running`.
    pub reading: f64,
    /// See `running`.
    pub solving: f64,
    /// What it cost in units that come out the same each time.
    pub work: Work,
}

/// What jobs cost, counted.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Work {
    /// Runs of both versions.
    pub runs: u64,
    /// Bytes that they printed.
    pub printed: u64,
    /// Events and nodes that they left, and those that were read.
    pub records: u64,
    /// See `records`.
    pub read: u64,
    /// Queries.
    pub queries: u64,
    /// Operations of queries that were evaluated, and units of work of the SMT solver.
    pub operations: u64,
    /// See `operations`.
    pub smt: u64,
    /// All of it with the weights that the search goes by, in seconds.
    pub weighed: f64,
}

impl Stats {
    /// As a table for a terminal.
    pub fn terminal(&self) -> String {
        let mut lines = vec![format!(
            "{:14} {:>7} {:>8} {:>6} {:>9} {:>9} {:>9} {:>9}",
            "generator", "jobs", "inputs", "new", "running", "reading", "solving", "work"
        )];
        lines.extend(self.generators.iter().map(|(name, row)| {
            format!(
                "{name:14} {:7} {:8} {:6} {:8.2}s {:8.2}s {:8.2}s {:8.2}s",
                row.jobs,
                row.inputs,
                row.new,
                row.running,
                row.reading,
                row.solving,
                row.work.weighed
            )
        }));
        lines.push(format!("waiting for the last jobs of rounds: {:.2}s", self.waiting));
        let phases = self.phases.iter();
        lines.extend(phases.map(|(name, seconds)| format!("{name}: {seconds:.2}s")));
        lines.push(String::new());
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_generator_has_a_line_and_each_phase_has_one() {
        let flips = GeneratorStats { jobs: 3, inputs: 17, running: 1.5, ..Default::default() };
        let stats = Stats {
            generators: BTreeMap::from([("flips", flips)]),
            waiting: 0.25,
            phases: BTreeMap::from([("confirming a difference", 2.0)]),
        };
        let text = stats.terminal();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        let words: Vec<_> = lines[1].split_whitespace().collect();
        assert_eq!(words, ["flips", "3", "17", "0", "1.50s", "0.00s", "0.00s", "0.00s"]);
        assert_eq!(lines[3], "confirming a difference: 2.00s");
    }
}
