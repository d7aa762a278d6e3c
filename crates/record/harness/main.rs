//! Stands for `parallax record` and for the executable it puts in a program's place.
//!
//! `record-harness BIN OUT COMMAND…` records, prints the summary one fact a line, and exits as the
//! command did.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitCode;

use parallax_record::{RecordOptions, Recording, recorder_main_if_recorder};

fn main() -> ExitCode {
    if let Some(status) = recorder_main_if_recorder() {
        std::process::exit(status);
    }
    let mut args = std::env::args_os().skip(1);
    let (Some(bin), Some(out)) = (args.next(), args.next()) else { return ExitCode::from(99) };
    let recorder = std::env::current_exe().expect("this executable has a path");
    let options =
        RecordOptions { bin: bin.into(), out: out.into(), command: args.collect(), recorder };
    match Recording::run(&options) {
        Ok(summary) => {
            println!("tests {}", summary.tests);
            println!("invocations {}", summary.invocations);
            println!("unobserved {}", summary.unobserved);
            println!("unfinished {}", summary.unfinished);
            println!("restoration {:?}", summary.restoration);
            println!("recovered {:?}", summary.recovered);
            println!("interrupted {:?}", summary.interrupted);
            for (reason, count) in &summary.skipped {
                println!("skipped {count}: {reason}");
            }
            let signalled = summary.status.signal().map(|signal| 128 + signal);
            let status = summary.status.code().or(signalled).unwrap_or(98);
            ExitCode::from(status as u8)
        }
        Err(error) => {
            eprintln!("failed to {error}: {:?}", std::error::Error::source(&error));
            ExitCode::from(97)
        }
    }
}
