//! A number with the noun that agrees with it.

/// A number, and the noun for one or for many.
pub fn counted<N: TryInto<u64> + Copy>(count: N, one: &str, many: &str) -> String {
    // What is more than a number of 64 bits can hold is many.
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_agrees_with_the_number() {
        let runs = |count: usize| counted(count, "run", "runs");
        assert_eq!([0, 1, 2].map(runs), ["0 runs", "1 run", "2 runs"]);
    }
}
