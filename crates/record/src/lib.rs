//! Turning a program's test suite into test cases.
//!
//! A *recorder* takes the place of the program while the suite runs. Each time the suite starts the
//! program, the recorder forks a *monitor*, and then becomes the real program: same process, same
//! arguments, same descriptors. The monitor sees the files the program opens and what it reads
//! from a pipe, and writes one test case when the program has ended.
//!
//! Rejected: `ptrace`, which changes signals, stops and debuggers for the program; a preloaded library,
//! which a statically linked program never loads; waiting for the program in a parent, which the
//! suite sees as another pid, another process group and another way to die.
//!
//! In reading order: [`Recording`] is one whole recording, an `Installation` the program that was
//! replaced, a `trailer` the mark of a recorder, a `Sidecar` its instructions, a `Journal` the
//! reports of the monitors. The rest runs in place of the program: `recorder`, `monitor`, and the
//! parts that a monitor uses.

#[cfg(not(target_os = "linux"))]
compile_error!("recording is built on Linux's user notifications of seccomp");

mod recording;

mod command;
mod install;
mod journal;
mod sidecar;
mod trailer;

mod recorder;
mod startup;

mod arguments;
mod draft;
mod environment;
mod inputs;
mod monitor;
mod stdin;

mod filter;
mod handover;
mod notify;
mod question;
mod sys;

pub use install::{Restoration, recover};
pub use journal::SkipReason;
pub use recorder::recorder_main_if_recorder;
pub use recording::{RecordError, RecordOptions, RecordSummary, Recording};
