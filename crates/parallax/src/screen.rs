//! Output of verbs while they run and at their end.
//!
//! Results go to stdout, all else to stderr. On a terminal one status line is rewritten in place;
//! in a pipe or a log it becomes a plain line now and then. Messages quote names and output of
//! other programs: terminal control characters in them are made visible here. Results come with
//! colours, and their renderers do so themselves.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    io::{self, IsTerminal, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

use parallax_check::{Message, Sink};
use parallax_deadline::OutOfTime;
use parallax_report::{Style, harmless, harmless_line};
use terminal_size::{Width, terminal_size_of};

use crate::{cli::Status, interrupt};

/// Shorter builds are not reported.
const WORTH_TELLING: Duration = Duration::from_secs(1);

/// The terminal and its state.
pub(crate) struct Screen {
    live: bool,
    shown: Cell<bool>,
    last: Cell<Option<Instant>>,
    /// Notes that are not repeated.
    said: RefCell<BTreeSet<String>>,
}

impl Screen {
    pub(crate) fn new() -> Screen {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let live = io::stderr().is_terminal() && !dumb;
        // A log does not show short phases.
        let last = (!live).then(Instant::now);
        Screen { live, shown: Cell::new(false), last: Cell::new(last), said: RefCell::default() }
    }

    /// Whether results are coloured.
    pub(crate) fn style(&self) -> Style {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if io::stdout().is_terminal() && !plain { Style::Colour } else { Style::Plain }
    }

    /// The width of a result: that of the shell, or one that fits everywhere.
    pub(crate) fn width(&self) -> usize {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        columns.unwrap_or(110)
    }

    /// Prints a result.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        self.clear();
        match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
            // A reader that closed the pipe has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// Prints a line that stays.
    pub(crate) fn say(&self, text: &str) {
        self.clear();
        self.write(&format!("{}\n", harmless(text)));
    }

    /// Prints a note once, for both versions.
    pub(crate) fn say_once(&self, text: String) {
        if !self.said.borrow().contains(&text) {
            self.say(&text);
            self.said.borrow_mut().insert(text);
        }
    }

    /// Notes programs that runs tried to start and that do not exist: a run without its helpers
    /// differs.
    pub(crate) fn tell_absent(&self, programs: impl IntoIterator<Item = Vec<u8>>) {
        for program in programs {
            let program = String::from_utf8_lossy(&program);
            self.say_once(format!(
                "note: the program tried to run `{program}`, which is not there in the sandbox"
            ));
        }
    }

    /// Shows a phase: on a terminal at once, elsewhere every few seconds.
    pub(crate) fn status(&self, text: &str) {
        let pause = Duration::from_millis(if self.live { 50 } else { 5000 });
        if self.last.get().is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        self.last.set(Some(Instant::now()));
        let text = &*harmless_line(text);
        if self.live {
            // A second line could not be erased.
            let columns = terminal_size_of(io::stderr()).map(|(Width(columns), _)| columns);
            let text = clipped(text, columns.map_or(80, usize::from));
            self.write(&format!("\r\x1b[K{text}"));
            self.shown.set(true);
        } else {
            self.write(&format!("{text}\n"));
        }
    }

    /// Erases the status line.
    pub(crate) fn clear(&self) {
        if self.shown.replace(false) {
            self.write("\r\x1b[K");
        }
    }

    /// Reports an error.
    pub(crate) fn fail(&self, error: &anyhow::Error) -> ExitCode {
        let why = match error.is::<OutOfTime>() {
            true => "failed to finish in time: the budget is used up".to_owned(),
            false => format!("{error:#}"),
        };
        self.say(&format!("parallax: {why}"));
        Status::Trouble.into()
    }

    fn write(&self, text: &str) {
        // With stderr closed the message cannot be delivered.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

impl Sink for Screen {
    fn take(&self, message: Message<'_>) {
        match message {
            Message::Phase(what) => self.status(what),
            Message::Idle => self.clear(),
            Message::Note(text) => self.say(text),
            Message::Absent(programs) => self.tell_absent(programs.iter().cloned()),
            Message::Building => interrupt::building(),
            Message::Built { what, time, has_budget } => {
                if has_budget && time >= WORTH_TELLING {
                    let seconds = time.as_secs_f64();
                    self.say(&format!(
                        "{what} took {seconds:.1}s, which the budget does not cover"
                    ));
                }
            }
            Message::EndsAt(end) => interrupt::end_at(end),
            Message::Progress(_) | Message::Result(_) => {}
        }
    }
}

/// The part of a line that fits, with room for the cursor.
fn clipped(text: &str, columns: usize) -> &str {
    let end = text.char_indices().nth(columns.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_long_as_the_screen_is_wide() {
        assert_eq!(clipped("12 → 34", 80), "12 → 34");
        assert_eq!(clipped("12 → 34", 8), "12 → 34");
        assert_eq!(clipped("12 → 34", 5), "12 →");
        assert_eq!(clipped("12", 0), "");
    }
}
