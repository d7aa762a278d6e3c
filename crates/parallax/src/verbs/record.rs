//! `parallax record`: a suite becomes test cases.

use std::os::unix::process::ExitStatusExt;

use parallax_record::{RecordOptions, RecordSummary, Recording, Restoration};

use crate::{
    cli::{Record, Status},
    screen::Screen,
    versions::{companion, failed_to},
};

pub(crate) fn run(record: &Record, screen: &Screen) -> anyhow::Result<Status> {
    let options = RecordOptions {
        bin: record.bin.clone(),
        out: record.out.clone(),
        command: record.command.clone(),
        recorder: companion("parallax-cc")?,
    };
    let summary = Recording::run(&options).map_err(failed_to)?;
    screen.say(&sentence(record, &summary));
    let fine = summary.status.success() && summary.interrupted.is_none() && summary.invocations > 0;
    Ok(if fine { Status::Fine } else { Status::Trouble })
}

fn sentence(record: &Record, summary: &RecordSummary) -> String {
    let mut lines = vec![format!(
        "recorded {} distinct tests of {} calls in {}",
        summary.tests,
        summary.invocations,
        record.out.display()
    )];
    let mut note = |count: usize, what: &str| {
        let calls = if count == 1 { "call" } else { "calls" };
        if count > 0 {
            lines.push(format!("note: {count} {calls} {what}"));
        }
    };
    for (reason, count) in &summary.skipped {
        note(*count, &format!("skipped: {reason}"));
    }
    note(summary.unobserved, "could not be watched: only files that its arguments name are kept");
    note(summary.unfinished, "still running, and not recorded");
    if summary.recovered.is_some() {
        lines.push(
            "note: a program that an earlier recording had left replaced was put back".into(),
        );
    }
    if summary.restoration == Restoration::Rebuilt {
        lines.push(
            "note: the command built the program anew; calls since then were not recorded".into(),
        );
    }
    if let Some(signal) = summary.interrupted {
        lines.push(format!("note: the command was interrupted by signal {signal}"));
    }
    match (summary.status.code(), summary.status.signal()) {
        (Some(0), _) => {}
        (Some(code), _) => lines.push(format!("note: the command exited with status {code}")),
        (None, signal) => {
            lines.push(format!("note: signal {} ended the command", signal.unwrap_or(0)))
        }
    }
    lines.join("\n")
}
