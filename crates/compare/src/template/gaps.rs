//! Lines that all runs have, with gaps between them where any lines can be.

use crate::lines;

/// A sequence of lines with gaps, in which there can be others.
#[derive(Clone, Debug)]
pub(super) struct Gaps {
    /// The lines, and whether others can come before each.
    lines: Vec<(Vec<u8>, Gap)>,
    /// Whether others can come at the end.
    end: Gap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    None,
    AnyLines,
}

impl Gap {
    fn when(open: bool) -> Gap {
        if open { Gap::AnyLines } else { Gap::None }
    }
}

impl Gaps {
    /// The lines that all of these runs have.
    pub(super) fn of(runs: &[Vec<&[u8]>]) -> Gaps {
        let (first, others) = runs.split_first().expect("a template is made from runs");
        let mut gaps = Gaps {
            lines: first.iter().map(|line| (line.to_vec(), Gap::None)).collect(),
            end: Gap::None,
        };
        for run in others {
            gaps.narrow(run);
        }
        gaps
    }

    /// The lines that all of these runs have, which were cut within the last line and may go on.
    pub(super) fn of_beginnings(runs: &[Vec<&[u8]>]) -> Gaps {
        let mut runs = runs.to_vec();
        for run in &mut runs {
            run.pop();
        }
        Gaps { end: Gap::AnyLines, ..Gaps::of(&runs) }
    }

    pub(super) fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The lines, with a mark in each gap.
    pub(super) fn text(&self) -> Vec<u8> {
        let mark = |gap: Gap| match gap {
            Gap::None => &b""[..],
            Gap::AnyLines => b"<lines vary>\n",
        };
        let lines = self.lines.iter().flat_map(|(line, gap)| [mark(*gap), line.as_slice()]);
        lines.chain([mark(self.end)]).collect::<Vec<_>>().concat()
    }

    /// Keeps the lines that this run has too. A gap opens wherever lines were dropped here or are
    /// skipped there.
    fn narrow(&mut self, run: &[&[u8]]) {
        let own: Vec<&[u8]> = self.lines.iter().map(|(line, _)| line.as_slice()).collect();
        let pairs = lines::common(&own, run);
        let mut kept = Vec::with_capacity(pairs.len());
        let (mut from, mut from_run) = (0, 0);
        for &(i, j) in &pairs {
            let gap = Gap::when(i > from || j > from_run || self.is_open(from..i + 1));
            kept.push((self.lines[i].0.clone(), gap));
            (from, from_run) = (i + 1, j + 1);
        }
        let dropped = from < self.lines.len() || from_run < run.len();
        self.end = Gap::when(dropped || self.end == Gap::AnyLines);
        self.lines = kept;
    }

    fn is_open(&self, mut range: std::ops::Range<usize>) -> bool {
        range.any(|i| self.lines[i].1 == Gap::AnyLines)
    }

    /// Takes each block of lines at the first place where it fits, which is always as good as any
    /// later one; only the last block may be bound to the end.
    pub(super) fn matches(&self, run: &[&[u8]]) -> bool {
        let mut rest = run;
        let mut blocks = self.blocks().into_iter().peekable();
        while let Some((gap, block)) = blocks.next() {
            let to_the_end = blocks.peek().is_none() && self.end == Gap::None;
            let found = match (gap, to_the_end) {
                (Gap::None, _) => rest.starts_with(&block).then_some(0),
                (Gap::AnyLines, true) => rest.ends_with(&block).then(|| rest.len() - block.len()),
                (Gap::AnyLines, false) => find(rest, &block),
            };
            match found {
                Some(at) => rest = &rest[at + block.len()..],
                None => return false,
            }
        }
        rest.is_empty() || self.end == Gap::AnyLines
    }

    /// The lines grouped into blocks without gaps; only the first can have none before it.
    fn blocks(&self) -> Vec<(Gap, Vec<&[u8]>)> {
        let mut blocks: Vec<(Gap, Vec<&[u8]>)> = Vec::new();
        for (line, gap) in &self.lines {
            match blocks.last_mut() {
                Some((_, block)) if *gap == Gap::None => block.push(line),
                _ => blocks.push((*gap, vec![line])),
            }
        }
        blocks
    }
}

/// The first position of a block in the lines, in time linear in both (Knuth, Morris, Pratt).
fn find(lines: &[&[u8]], block: &[&[u8]]) -> Option<usize> {
    let failures = failures(block);
    let mut matched = 0;
    for (index, line) in lines.iter().enumerate() {
        while matched > 0 && block[matched] != *line {
            matched = failures[matched - 1];
        }
        if block[matched] == *line {
            matched += 1;
        }
        if matched == block.len() {
            return Some(index + 1 - matched);
        }
    }
    None
}

/// For each prefix of the block, the length of its longest proper border.
fn failures(block: &[&[u8]]) -> Vec<usize> {
    let mut failures = vec![0; block.len()];
    for index in 1..block.len() {
        let mut matched: usize = failures[index - 1];
        while matched > 0 && block[matched] != block[index] {
            matched = failures[matched - 1];
        }
        if block[matched] == block[index] {
            matched += 1;
        }
        failures[index] = matched;
    }
    failures
}
