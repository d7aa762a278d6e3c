//! How a search is going, in one line.

use std::{fmt, time::Duration};

use parallax_search::Summary;

/// How a search is going.
pub(super) struct Status<'s> {
    pub(super) summary: &'s Summary,
    pub(super) elapsed: Duration,
    pub(super) budget: Duration,
    /// How long ago the last difference was found.
    pub(super) since_find: Option<Duration>,
    /// The changes: all, executed, with an effect, with one that was seen.
    pub(super) changes: usize,
    pub(super) reached: usize,
    pub(super) infected: usize,
    pub(super) propagated: usize,
}

impl fmt::Display for Status<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status { elapsed, changes, reached, infected, propagated, .. } = self;
        write!(f, "{}/{}", short(*elapsed), short(self.budget))?;
        match self.since_find {
            Some(since) => write!(f, ", last find {} ago", short(since))?,
            None => write!(f, ", nothing found")?,
        }
        let Summary { runs, waiting, answers, solving, running, .. } = self.summary;
        let (solving, running) = (solving.as_secs_f64(), running.as_secs_f64());
        let total = answers.total();
        write!(
            f,
            " | {reached} reached, {infected} infected, {propagated} propagated of {changes} | \
             {:.0} runs/s | {waiting} open goals | {} queries, {:.0}% of time",
            *runs as f64 / elapsed.as_secs_f64().max(0.001),
            total.found + total.impossible + total.unknown,
            100.0 * solving / (solving + running).max(1e-9),
        )
    }
}

/// A time as people say it.
fn short(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_it_is_going() {
        let summary = Summary {
            runs: 900,
            waiting: 17,
            solving: Duration::from_secs(1),
            running: Duration::from_secs(3),
            ..Summary::default()
        };
        let mut status = Status {
            summary: &summary,
            elapsed: Duration::from_secs(90),
            budget: Duration::from_secs(7260),
            since_find: None,
            changes: 5,
            reached: 4,
            infected: 2,
            propagated: 1,
        };
        assert_eq!(
            status.to_string(),
            "1m30s/2h01m, nothing found | 4 reached, 2 infected, 1 propagated of 5 | 10 runs/s | \
             17 open goals | 0 queries, 25% of time"
        );
        status.since_find = Some(Duration::from_millis(4900));
        assert!(status.to_string().contains(", last find 4s ago |"), "{status}");
    }
}
