//! `parallax record`: converts a suite to test cases.

use std::os::unix::process::ExitStatusExt;

use parallax_record::{RecordOptions, RecordSummary, Recording, Restoration};
use parallax_report::counted;

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
        "recorded {} of {} in {}",
        counted(summary.tests, "distinct test", "distinct tests"),
        counted(summary.invocations, "call", "calls"),
        record.out.display()
    )];
    let mut note = |count: usize, what: &str| {
        if count > 0 {
            lines.push(format!("note: {} {what}", counted(count, "call", "calls")));
        }
    };
    for (reason, count) in &summary.skipped {
        note(*count, &format!("skipped: {reason}"));
    }
    note(summary.unobserved, "could not be observed: only files that the arguments name are kept");
    note(summary.unfinished, "still running, and not recorded");
    if summary.recovered.is_some() {
        lines.push(
            "note: the program was restored, as an earlier recording had left it replaced".into(),
        );
    }
    if summary.restoration == Restoration::Rebuilt {
        lines.push(
            "note: the command rebuilt the program; calls since then were not recorded".into(),
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
