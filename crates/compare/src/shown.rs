//! Runs for display, without the parts that were not compared.
//!
//! Text that varies from run to run and text that the user ignores is no part of a difference, and
//! must not look like one beside it.

use parallax_run::{Captured, Contents, FileChange, Observation};

use crate::{Aspect, Ignore, Runs, Sample, Template, difference::sample};

/// The first run of each version, with variations marked and ignored text left out, in all streams
/// and in these files.
pub(crate) fn shown(runs: &Runs, files: &[Vec<u8>], ignore: &Ignore) -> Option<[Observation; 2]> {
    let mut first = [runs.old.first()?.clone(), runs.new.first()?.clone()];
    let mask = |aspect, find: &dyn Fn(&Observation) -> Option<&Captured>| {
        texts(runs, aspect, find, ignore)
    };
    let stdout = mask(Aspect::Stdout, &|run| Some(&run.stdout));
    let stderr = mask(Aspect::Stderr, &|run| Some(&run.stderr));
    let files: Vec<_> = files
        .iter()
        .filter_map(|path| Some((path, mask(Aspect::Files, &|run| captured(run, path))?)))
        .collect();
    for (version, run) in first.iter_mut().enumerate() {
        stdout.iter().for_each(|texts| replace(&mut run.stdout, &texts[version]));
        stderr.iter().for_each(|texts| replace(&mut run.stderr, &texts[version]));
        for (path, texts) in &files {
            let change = run.files.get_mut(*path);
            if let Some(captured) = change.and_then(captured_mut) {
                replace(captured, &texts[version]);
            }
        }
    }
    Some(first)
}

/// The common parts of the runs of each version in one place, if all of them have something there.
fn texts(
    runs: &Runs,
    aspect: Aspect,
    find: &dyn Fn(&Observation) -> Option<&Captured>,
    ignore: &Ignore,
) -> Option<[Vec<u8>; 2]> {
    let template = |runs: &[Observation]| {
        let samples: Option<Vec<Sample<'_>>> =
            runs.iter().map(|run| Some(sample(run, find(run)?, aspect, ignore))).collect();
        Some(Template::of(&samples?))
    };
    let (old, new) = (template(&runs.old)?, template(&runs.new)?);
    Some([old.text_beside(&new), new.text_beside(&old)])
}

fn captured<'a>(run: &'a Observation, path: &[u8]) -> Option<&'a Captured> {
    run.files.get(path)?.captured()
}

fn captured_mut(change: &mut FileChange) -> Option<&mut Captured> {
    match change {
        FileChange::Created(state) | FileChange::Changed(state) => match &mut state.contents {
            Contents::File(captured) => Some(captured),
            Contents::Symlink(_) | Contents::Directory | Contents::Special => None,
        },
        FileChange::Removed => None,
    }
}

/// Replaces the kept bytes by another text.
fn replace(captured: &mut Captured, text: &[u8]) {
    let beyond = captured.total.saturating_sub(captured.bytes.len() as u64);
    captured.bytes = text.to_vec();
    captured.total = text.len() as u64 + beyond;
}

#[cfg(test)]
mod tests {
    use parallax_run::Ending;

    use super::*;

    fn check(old: &[&str], new: &[&str], rules: &[&str], expected: [&str; 2]) {
        let run = |text: &&str| Observation {
            ending: Ending::Exit(0),
            stdout: Captured::whole(*text),
            stderr: Captured::default(),
            files: Default::default(),
        };
        let runs = Runs { old: old.iter().map(run).collect(), new: new.iter().map(run).collect() };
        let ignore = Ignore::new(rules).expect("the rules are regular expressions");
        let shown = shown(&runs, &[], &ignore).expect("there are runs");
        let texts = shown.each_ref().map(|run| String::from_utf8_lossy(&run.stdout.bytes));
        assert_eq!(texts, expected);
    }

    #[test]
    fn what_varies_is_marked() {
        check(
            &["pid 1\nsum 5\n", "pid 2\nsum 5\n"],
            &["pid 3\nsum 6\n", "pid 4\nsum 6\n"],
            &[],
            ["pid <varies>\nsum 5\n", "pid <varies>\nsum 6\n"],
        );
        check(
            &["a\nb\n", "a\nb\n"],
            &["c\nx\nb\n", "c\nb\n"],
            &[],
            ["a\nb\n", "c\n<lines vary>\nb\n"],
        );
    }

    #[test]
    fn what_varies_in_one_version_only_is_marked_in_both() {
        check(
            &["pid 1\nsum 5\n", "pid 1\nsum 5\n"],
            &["pid 3\nsum 6\n", "pid 4\nsum 6\n"],
            &[],
            ["pid <varies>\nsum 5\n", "pid <varies>\nsum 6\n"],
        );
    }

    #[test]
    fn what_is_ignored_is_left_out() {
        check(&["at 1: a\n"], &["at 2: b\n"], &["[0-9]+"], ["at : a\n", "at : b\n"]);
    }

    #[test]
    fn what_does_not_vary_is_shown_as_it_is() {
        check(&["a", "a"], &["b\n", "b\n"], &[], ["a", "b\n"]);
    }
}
