//! `parallax record`: a suite becomes test cases.

use std::os::unix::process::ExitStatusExt;

use parallax_record::{RecordOptions, RecordSummary, Recording};

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
    let fine = summary.status.success() && summary.interrupted.is_none();
    Ok(if fine { Status::Fine } else { Status::Trouble })
}

fn sentence(record: &Record, summary: &RecordSummary) -> String {
    let mut lines = vec![format!(
        "recorded {} distinct tests of {} calls in {}",
        summary.tests,
        summary.invocations,
        record.out.display()
    )];
    for (reason, count) in &summary.skipped {
        lines.push(format!("note: {count} calls were skipped: {reason}"));
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
