//! The progress of a search in one line.

use std::time::Duration;

use parallax_check::Progress;
use parallax_search::{Expense, Summary};

/// The progress of a search in one line.
pub(super) fn line(progress: &Progress<'_>) -> String {
    let Progress { elapsed, changes, reached, infected, propagated, .. } = progress;
    let found = match progress.since_find {
        Some(since) => format!("last find {} ago", short(since)),
        None => "nothing found".to_owned(),
    };
    let Summary { runs, waiting, answers, .. } = progress.summary;
    let Expense { running, reading, solving, .. } = progress.summary.expense();
    let (solving, busy) = (solving.as_secs_f64(), (running + reading + solving).as_secs_f64());
    let total = answers.total();
    format!(
        "{}/{}, {found} | {reached} reached, {infected} infected, {propagated} propagated of {changes} | \
         {:.0} runs/s | {waiting} flips queued | {} queries, {:.0}% of time",
        short(*elapsed),
        short(progress.budget),
        *runs as f64 / elapsed.as_secs_f64().max(0.001),
        total.found + total.impossible + total.unknown,
        100.0 * solving / busy.max(1e-9),
    )
}

/// A duration in words.
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
            given: Expense {
                solving: Duration::from_secs(1),
                running: Duration::from_secs(2),
                reading: Duration::from_secs(1),
                ..Expense::default()
            },
            ..Summary::default()
        };
        let mut progress = Progress {
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
            line(&progress),
            "1m30s/2h01m, nothing found | 4 reached, 2 infected, 1 propagated of 5 | 10 runs/s | \
             17 flips queued | 0 queries, 25% of time"
        );
        progress.since_find = Some(Duration::from_millis(4900));
        let line = line(&progress);
        assert!(line.contains(", last find 4s ago |"), "{line}");
    }
}
