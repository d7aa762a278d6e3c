//! Waiting for the compilers and linkers that are started, no longer than there is time.

use std::{
    io::{self, Read},
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use parallax_deadline::{Deadline, OutOfTime};

/// The shortest and the longest pause between two polls of a child: most end soon.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(20);

/// As [`Command::output`], but a child that has not ended by the deadline is killed: the error is
/// then of the kind [`io::ErrorKind::TimedOut`].
pub fn output_by(command: &mut Command, deadline: Deadline) -> io::Result<Output> {
    deadline.check().map_err(too_late)?;
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let stdout = scope.spawn(|| all(stdout));
        let stderr = scope.spawn(|| all(stderr));
        let status = wait(&mut child, deadline);
        let ended = || io::Error::other("a thread ended early");
        let stdout = stdout.join().map_err(|_| ended())?;
        let stderr = stderr.join().map_err(|_| ended())?;
        Ok(Output { status: status?, stdout: stdout?, stderr: stderr? })
    })
}

fn all(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.map(|mut stream| stream.read_to_end(&mut bytes)).transpose()?;
    Ok(bytes)
}

fn wait(child: &mut Child, deadline: Deadline) -> io::Result<std::process::ExitStatus> {
    let mut pause = SHORTEST;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if deadline.is_over() {
            child.kill()?;
            child.wait()?;
            return Err(too_late(OutOfTime));
        }
        thread::sleep(pause.min(deadline.left()));
        pause = (pause * 2).min(LONGEST);
    }
}

fn too_late(error: OutOfTime) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, error)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn what_a_child_prints_is_read_to_the_end() {
        let mut command = Command::new("sh");
        command.args(["-c", "head -c 200000 /dev/zero; echo no >&2; exit 3"]);
        let output = output_by(&mut command, Deadline::NEVER).expect("there is a shell");
        assert_eq!((output.stdout.len(), &output.stderr[..]), (200_000, &b"no\n"[..]));
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn a_child_that_takes_too_long_is_killed() {
        let start = Instant::now();
        let deadline = Deadline::NEVER.within(Duration::from_millis(50));
        let error = output_by(Command::new("sleep").arg("60"), deadline).expect_err("it is killed");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(30));
        assert!(output_by(&mut Command::new("true"), deadline).is_err(), "it is not begun");
    }
}
