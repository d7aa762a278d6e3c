//! `parallax replay`: one test on one program.

use std::path::PathBuf;

use parallax_check::{sanitizer_options, subject};
use parallax_instrument::sanitizer_build;
use parallax_run::{MemoryLimit, Subject, suite::Suite};

use crate::{
    cli::{Replay, Status},
    screen::Screen,
    versions::{build_one, failed, failed_to, runnable},
};

pub(crate) fn run(replay: &Replay, screen: &Screen) -> anyhow::Result<Status> {
    let suite = Suite::load(std::slice::from_ref(&replay.test)).map_err(failed_to)?;
    let version = if replay.sanitize { build_one } else { runnable };
    let (build, name) = version(&replay.program, &replay.building, screen)?;
    let scratch = tempfile::tempdir()?;
    let running = replay.running.limited();
    let memory = running.memory;
    let subject = if replay.sanitize {
        screen.status("making the sanitizer build");
        let program = scratch.path().join(&name);
        sanitizer_build(&build, &program).map_err(failed_to)?;
        sanitized(subject(&build, &name, memory).map_err(failed)?, program, memory)
    } else {
        subject(&build, &name, memory).map_err(failed)?
    };
    let mut lab = running.start_lab(screen).map_err(failed)?;
    for test in &suite.tests {
        let observation = lab.run(&subject, &test.case, &running.limits).map_err(failed_to)?;
        screen.tell_absent(lab.take_absent());
        let line = test.case.shell_line(&name.to_string_lossy());
        let seen = parallax_report::observation(&observation, screen.style());
        screen.print(&format!("$ {line}\n{seen}"))?;
    }
    Ok(Status::Fine)
}

/// The sanitizer build of a program in the place of the native one.
fn sanitized(subject: Subject, program: PathBuf, memory: u64) -> Subject {
    let env = vec![sanitizer_options("detect_leaks=0:exitcode=86")];
    Subject { program, env, memory: MemoryLimit::Resident(memory), ..subject }
}
