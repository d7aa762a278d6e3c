//! A comparison as text for a terminal.
//!
//! The sentence that answers the question comes first; then each test that tells the versions
//! apart, with all that is needed to see it and to see it again; then the limits of the answer:
//! tests that could not be run, and noise.

use parallax_compare::{Compared, Comparison, Outcome, Summary};

use crate::{
    details::{details, list, list_masked, noise, run_line},
    style::{Ink, Style},
    visible::{harmless_line, visible},
};

/// Tests whose noise is named one by one.
const NOISY_NAMED: usize = 10;

/// The whole comparison; `program` is the name of the program in the lines to run it again.
pub fn terminal(comparison: &Comparison, program: &str, style: Style) -> String {
    let mut text = sentence(comparison.summary()) + "\n";
    for test in &comparison.tests {
        match &test.outcome {
            Outcome::Same => {}
            Outcome::Different(difference) => {
                text += &heading(test, style);
                text += &field("run", &harmless_line(&run_line(test, program)), style);
                text += &field("differs", &format!("in {}", list(&difference.differs_in)), style);
                if let Some(line) = noise(&test.masked) {
                    text += &field("noise", &line, style);
                }
                for line in details(difference, style) {
                    text += &format!("    {line}\n");
                }
            }
            Outcome::Trouble(why) => {
                text += &heading(test, style);
                let why = format!("failed to {}", visible(why.as_bytes()));
                text += &field("trouble", &style.paint(Ink::Trouble, &why), style);
            }
            Outcome::OutOfTime { seemed: true } => {
                text += &heading(test, style);
                let why = "the versions look different; there was no time to confirm it";
                text += &field("unknown", &style.paint(Ink::Trouble, why), style);
            }
            Outcome::OutOfTime { seemed: false } => {}
        }
    }
    text + &noise_elsewhere(comparison)
}

/// The answer in a sentence.
fn sentence(summary: Summary) -> String {
    let Summary { same, different, trouble, out_of_time } = summary;
    let tests = same + different + trouble + out_of_time;
    let (noun, tell) = match (different, tests) {
        (1, 1) => ("test", "tells"),
        (1, _) => ("tests", "tells"),
        _ => ("tests", "tell"),
    };
    let mut answer = format!("{different} of {tests} {noun} {tell} the versions apart.");
    if trouble > 0 {
        answer += &format!(" {} could not be run.", plural(trouble, "test"));
    }
    if out_of_time > 0 {
        let were = if out_of_time == 1 { "was" } else { "were" };
        answer += &format!(
            " {out_of_time} of {} {were} not compared: the budget is used up.",
            plural(tests, "test")
        );
    }
    answer
}

fn heading(test: &Compared, style: Style) -> String {
    format!("\n{}\n", style.paint(Ink::Heading, &visible(test.name.as_bytes())))
}

fn field(label: &str, value: &str, style: Style) -> String {
    format!("  {} {value}\n", style.paint(Ink::Faint, &format!("{label:8}")))
}

/// Noise in tests that are not shown: where there was noise, "the same" says less.
fn noise_elsewhere(comparison: &Comparison) -> String {
    let noisy: Vec<&Compared> = comparison
        .tests
        .iter()
        .filter(|test| test.outcome == Outcome::Same && !test.masked.is_empty())
        .collect();
    if noisy.is_empty() {
        return String::new();
    }
    let mut text =
        String::from("\nNot compared, or not all of it, because it varies from run to run:\n");
    for test in noisy.iter().take(NOISY_NAMED) {
        let name = visible(test.name.as_bytes());
        text += &format!("  {name}: {}\n", list_masked(&test.masked));
    }
    match noisy.len().saturating_sub(NOISY_NAMED) {
        0 => text,
        more => format!("{text}  … and in {}\n", plural(more, "more test")),
    }
}

fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_comparison_reads_well() {
        let text = terminal(&fixture::comparison(), "./cut", Style::Plain);
        fixture::check("comparison.txt", &text);
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let mut coloured = terminal(&fixture::comparison(), "./cut", Style::Colour);
        for code in ["0", "1", "2", "31", "32"] {
            coloured = coloured.replace(&format!("\x1b[{code}m"), "");
        }
        assert_eq!(coloured, terminal(&fixture::comparison(), "./cut", Style::Plain));
    }

    #[test]
    fn an_empty_answer_is_an_answer() {
        let text = terminal(&Comparison::default(), "./cut", Style::Plain);
        assert_eq!(text, "0 of 0 tests tell the versions apart.\n");
    }

    #[test]
    fn the_answer_is_a_sentence() {
        let answer =
            |same, different| sentence(Summary { same, different, trouble: 0, out_of_time: 0 });
        let rest = sentence(Summary { same: 27, different: 1, trouble: 0, out_of_time: 12 });
        assert!(rest.ends_with("apart. 12 of 40 tests were not compared: the budget is used up."));
        assert_eq!(answer(1, 0), "0 of 1 tests tell the versions apart.");
        assert_eq!(answer(0, 1), "1 of 1 test tells the versions apart.");
        assert_eq!(answer(6, 1), "1 of 7 tests tells the versions apart.");
        assert_eq!(answer(5, 2), "2 of 7 tests tell the versions apart.");
    }
}
