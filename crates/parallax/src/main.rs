//! The command line: arguments in, text and an exit status out.

mod cli;
mod screen;
mod symbolic;
mod verbs;
mod versions;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let screen = screen::Screen::new();
    match cli::Cli::parse().verb.run(&screen) {
        Ok(status) => status.into(),
        Err(error) => screen.fail(&error),
    }
}
