//! The values that a test case gives to the variables of its run.

use parallax_run::{Entry, TestCase};
use parallax_solve::{Origin, Part, Values, Variable};

/// The values of the variables that a test stands for.
#[derive(Clone, Copy, Debug)]
pub struct Given<'t>(pub &'t TestCase);

impl Values for Given<'_> {
    fn value(&self, variable: &Variable) -> Option<u128> {
        if variable.origin == Origin::Count {
            return Some(self.0.args.len() as u128 + 1);
        }
        let bytes = self.bytes(&variable.origin);
        Some(match variable.part {
            // Beyond its end an argument is zero, and so is the first byte of a missing file, which
            // is never read.
            Part::Byte(offset) => {
                bytes.and_then(|bytes| bytes.get(offset as usize)).copied().unwrap_or(0).into()
            }
            Part::Length => bytes.map_or(0, <[u8]>::len) as u128,
            Part::Exists => u128::from(bytes.is_some()),
            Part::Number(_) => return None,
        })
    }
}

impl<'t> Given<'t> {
    fn bytes(&self, origin: &Origin) -> Option<&'t [u8]> {
        let test = self.0;
        match origin {
            Origin::Argument(index) => {
                let argument = test.args.get((*index as usize).checked_sub(1)?)?;
                Some(argument)
            }
            Origin::Stdin => Some(test.stdin.as_deref().unwrap_or_default()),
            Origin::Environment(name) => test.env.get(&name[..]).map(Vec::as_slice),
            Origin::File(name) => match test.files.get(&name[..])? {
                Entry::File { data, .. } => Some(data),
                Entry::Symlink(_) | Entry::Directory => None,
            },
            Origin::Count | Origin::Unwritten => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_says_what_its_variables_are() {
        let mut test = TestCase { args: vec![b"ab".to_vec()], ..TestCase::default() };
        test.stdin = Some(b"xyz".to_vec());
        test.files.insert(b"f".to_vec(), Entry::File { data: b"q".to_vec(), executable: false });
        let value = |origin: &Origin, part| {
            Given(&test).value(&Variable { origin: origin.clone(), part }).map(|value| value as u64)
        };
        assert_eq!(value(&Origin::Count, Part::Length), Some(2));
        assert_eq!(value(&Origin::Argument(1), Part::Byte(1)), Some(u64::from(b'b')));
        assert_eq!(value(&Origin::Argument(1), Part::Byte(2)), Some(0));
        assert_eq!(value(&Origin::Argument(2), Part::Byte(0)), Some(0));
        assert_eq!(value(&Origin::Stdin, Part::Length), Some(3));
        let file = Origin::File(b"f"[..].into());
        assert_eq!(value(&file, Part::Exists), Some(1));
        assert_eq!(value(&file, Part::Byte(0)), Some(u64::from(b'q')));
        assert_eq!(value(&Origin::File(b"g"[..].into()), Part::Exists), Some(0));
    }
}
