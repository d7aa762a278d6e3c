//! The inputs that a test fixes, as records for the program.

use parallax_abi::{Blob, Input, InputKind};

use crate::Fixed;

/// Stands for all arguments, files or variables.
const ALL: u32 = u32::MAX;

/// The records, and the blobs with their names, of which the first has number 1.
pub(super) fn records(fixed: &[Fixed]) -> (Vec<Input>, Vec<u32>) {
    let mut names = Vec::new();
    let inputs = fixed.iter().map(|part| record(part, &mut names)).collect();
    (inputs, names)
}

fn record(part: &Fixed, names: &mut Vec<u32>) -> Input {
    let (kind, index, name) = match part {
        // The program's own name is argument 0.
        Fixed::Argument(index) => (
            InputKind::Argument,
            u32::try_from(*index).map_or(ALL, |index| index.saturating_add(1)),
            None,
        ),
        Fixed::Arguments => (InputKind::Argument, ALL, None),
        Fixed::Count => (InputKind::Count, 0, None),
        Fixed::Stdin => (InputKind::Stdin, 0, None),
        Fixed::File(path) => (InputKind::File, 0, Some(path)),
        Fixed::Files => (InputKind::File, ALL, None),
        Fixed::Variable(name) => (InputKind::Environment, 0, Some(name)),
        Fixed::Variables => (InputKind::Environment, ALL, None),
    };
    let name = name.map_or(0, |name| append(names, name));
    Input { kind: kind as u32, index, name, fixed: 1 }
}

/// Adds a blob; returns its number. A name that is too long for one has none that matches.
fn append(names: &mut Vec<u32>, name: &[u8]) -> u32 {
    let number = 1 + names.len() / 4;
    let blob = Blob { address: 0, length: name.len() as u32, labelled: 0 };
    names.extend([0, 0, blob.length, blob.labelled]);
    for chunk in name.chunks(4) {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        names.push(u32::from_ne_bytes(word));
    }
    names.resize(names.len().next_multiple_of(4), 0);
    number as u32
}
