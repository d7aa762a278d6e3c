//! The ending of a run, in words.

use parallax_run::Ending;

/// The ending in words that fit after "it was" or stand alone.
pub(crate) fn describe(ending: Ending) -> String {
    match ending {
        Ending::Exit(status) => format!("exit status {status}"),
        Ending::Signal(signal) => format!("killed by {}", signal_name(signal)),
        Ending::TimeLimit => String::from("stopped at the time limit"),
        Ending::MemoryLimit => String::from("stopped at the memory limit"),
        Ending::OutputLimit => String::from("stopped at the output limit"),
    }
}

/// Both endings, without saying the same words twice.
pub(crate) fn describe_change(old: Ending, new: Ending) -> String {
    match (old, new) {
        (Ending::Exit(old), Ending::Exit(new)) => format!("exit status {old} → {new}"),
        (old, new) => format!("{} → {}", describe(old), describe(new)),
    }
}

/// The name that every manual uses, such as `SIGSEGV`.
pub(crate) fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGVTALRM => "SIGVTALRM",
        libc::SIGPROF => "SIGPROF",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGSYS => "SIGSYS",
        libc::SIGIO => "SIGIO",
        other => return format!("signal {other}"),
    };
    String::from(name)
}
