//! `parallax doctor`: checks that everything is installed, and prints how to fix what is not.

use std::{ffi::OsStr, fs, process::Command};

use parallax_capture::{Build, BuildOptions, Store, Version, toolchain};
use parallax_check::subject;
use parallax_instrument::symbolic_build;
use parallax_run::{
    Limits, Subject, TestCase,
    lab::{Isolation, Lab},
    trace::{TraceMemory, TraceOptions},
};

use crate::{cli::Status, screen::Screen, versions::companion};

/// The state of one requirement.
enum Finding {
    Fine(String),
    /// It works, with less than is possible.
    Lacking(String),
    /// It is needed and missing; the second part is the fix.
    Broken(String, String),
}

use Finding::{Broken, Fine, Lacking};

pub(crate) fn run(screen: &Screen) -> anyhow::Result<Status> {
    let findings = [
        ("compiler", clang()),
        ("wrapper", wrapper()),
        ("capture", capture()),
        ("tracing", tracing()),
        ("store", store()),
        ("git", git()),
        ("sandbox", sandbox()),
        ("recording", recording()),
    ];
    let mut status = Status::Fine;
    for (what, finding) in findings {
        let line = match finding {
            Fine(text) => format!("ok       {what:10} {text}\n"),
            Lacking(text) => format!("lacking  {what:10} {text}\n"),
            Broken(text, fix) => {
                status = Status::Trouble;
                format!("BROKEN   {what:10} {text}\n         {:10} fix: {fix}\n", "")
            }
        };
        screen.print(&line)?;
    }
    Ok(status)
}

fn install(package: &str) -> String {
    format!("apt-get update && apt-get install -y {package}")
}

fn clang() -> Finding {
    let path = match toolchain::clang() {
        Ok(path) => path,
        Err(error) => return Broken(format!("failed to {error}"), install("clang-19")),
    };
    let version = toolchain::version(&path).unwrap_or_default();
    let line = version.lines().next().unwrap_or("no version").to_string();
    if line.contains(&format!("version {}.", toolchain::LLVM_RELEASE)) {
        return Fine(format!("{} ({line})", path.display()));
    }
    Broken(
        format!("{} is not clang {}: {line}", path.display(), toolchain::LLVM_RELEASE),
        install("clang-19"),
    )
}

fn wrapper() -> Finding {
    match companion("parallax-cc") {
        Ok(path) => Fine(path.display().to_string()),
        Err(error) => Broken(error.to_string(), "./x install DIR, in the source tree".into()),
    }
}

/// Compiles and captures the smallest program.
fn capture() -> Finding {
    let captured = smallest_build()
        .and_then(|build| parallax_instrument::whole_program(&build).map_err(in_words));
    match captured {
        Ok(_) => Fine("a program compiles, and its bitcode is found again".into()),
        Err(error) => Broken(error, install("clang-19 libc6-dev binutils")),
    }
}

fn smallest_build() -> Result<Build, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("doctor.c");
    fs::write(&source, "int main(void) { return 0; }\n").map_err(|error| error.to_string())?;
    Version::Sources(vec![source]).build(&BuildOptions::default(), &mut |_| {}).map_err(in_words)
}

/// Traces the smallest program.
fn tracing() -> Finding {
    match try_tracing() {
        Ok(()) => Fine("a program runs with symbolic shadows".into()),
        Err(error) => Broken(error, install("clang-19 lld-19 libc6-dev")),
    }
}

fn try_tracing() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let build = smallest_build()?;
    let symbolic = symbolic_build(&build, &folder.path().join("doctor")).map_err(in_words)?;
    let native =
        subject(&build, OsStr::new("doctor"), 1 << 30).map_err(|error| error.to_string())?;
    let subject = Subject { program: symbolic.program, ..native };
    let options = TraceOptions { sites: symbolic.places.size(), ..TraceOptions::default() };
    let mut memory = TraceMemory::new(options).map_err(in_words)?;
    let mut lab = Lab::start(Isolation::Sandboxed).map_err(in_words)?;
    let seen = lab
        .trace(&subject, &TestCase::default(), &Limits::default(), &mut memory)
        .map_err(in_words)?;
    match memory.trace().attached() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&seen.stderr.bytes).trim().to_owned()),
    }
}

/// Errors of the libraries are fragments.
fn in_words(error: impl std::fmt::Display) -> String {
    format!("failed to {error}")
}

fn store() -> Finding {
    let store = Store::default_location();
    let probe = fs::create_dir_all(store.root()).and_then(|()| tempfile::tempfile_in(store.root()));
    match probe {
        Ok(_) => Fine(store.root().display().to_string()),
        Err(error) => Broken(
            format!("{}: {error}", store.root().display()),
            "name a directory that you can write to in PARALLAX_CACHE".into(),
        ),
    }
}

fn git() -> Finding {
    match Command::new("git").arg("--version").output() {
        Ok(output) => Fine(String::from_utf8_lossy(&output.stdout).trim().to_string()),
        Err(_) => {
            Broken("git is missing: versions cannot be named by revisions".into(), install("git"))
        }
    }
}

fn sandbox() -> Finding {
    match Lab::start(Isolation::Sandboxed) {
        Ok(lab) if lab.missing().is_empty() => Fine("all of it".into()),
        Ok(lab) => Lacking(lab.missing().join("; ")),
        Err(error) => Broken(
            format!("failed to {error}"),
            "sysctl kernel.unprivileged_userns_clone=1, or run with --no-sandbox".into(),
        ),
    }
}

fn recording() -> Finding {
    // The recorder needs an action of seccomp, and the kernel lists those that it knows.
    let actions = fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    if actions.split_whitespace().any(|action| OsStr::new(action) == "user_notif") {
        return Fine("the files that a program opens can be observed".into());
    }
    Lacking("this kernel does not show which files a program opens: only those named by arguments are recorded".into())
}
