//! The command line: arguments in, text and an exit status out.

mod cli;
mod interrupt;
mod screen;
mod symbolic;
mod target;
mod verbs;
mod versions;

use std::process::ExitCode;

use clap::Parser;

/// Analyses and solving allocate and free millions of small sets, on several threads at once;
/// glibc's allocator takes a fifth of the time of a large program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let screen = screen::Screen::new();
    match cli::Cli::parse().verb.run(&screen) {
        Ok(status) => status.into(),
        // An interruption by the user is no error; there was no result yet.
        Err(_) if interrupt::is_wanted() => {
            screen.say("parallax: interrupted");
            interrupt::status().into()
        }
        Err(error) => screen.fail(&error),
    }
}
