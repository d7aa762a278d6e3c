//! Coverage of a suite as a user sees it.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod place;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, Weak},
};

use place::Place;

/// Two tests leave `return -1`, all of `never`, and one way of three branches out.
const PROGRAM: &str = "\
#include <stdio.h>
int sign(int number)
{
    if (number > 0)
        return 1;
    if (number < 0)
        return -1;
    return 0;
}
int never(int number)
{
    while (number > 9)
        number /= 10;
    return number;
}
int main(int argc, char **argv)
{
    int number = 0;
    if (argc > 1 && sscanf(argv[1], \"%d\", &number) != 1)
        return never(argc);
    printf(\"%d\\n\", sign(number));
    return 0;
}
";

/// The program with its tests. Concurrent users share it, and its build.
fn place() -> Arc<Place> {
    static SHARED: Mutex<Weak<Place>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap();
    shared.upgrade().unwrap_or_else(|| {
        let place = Arc::new(Place::new());
        place.write("sign.c", PROGRAM);
        place.write("tests/none.toml", "args = []\n");
        place.write("tests/five.toml", "args = [\"5\"]\n");
        *shared = Arc::downgrade(&place);
        place
    })
}

#[track_caller]
fn coverage(place: &Place, further: &[&str]) -> String {
    let mut words = vec!["coverage", "sign.c"];
    words.extend(further);
    let printed = place.parallax(&words);
    assert_eq!(printed.status, 0, "{printed:?}");
    printed.stdout
}

#[test]
fn a_table_has_lines_and_branches() {
    let place = place();
    let table = coverage(&place, &["--tests", "tests"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split_whitespace().collect()).collect();
    let figures = ["10", "of", "15", "(66.7%)", "6", "of", "10", "(60.0%)"];
    assert_eq!(rows.len(), 3, "{table}");
    assert_eq!(rows[0], ["file", "lines", "branches"]);
    assert!(rows[1][0].ends_with("sign.c"), "{table}");
    assert_eq!(rows[1][1..], figures);
    assert_eq!((rows[2][0], &rows[2][1..]), ("all", &figures[..]));
}

#[test]
fn one_test_covers_less_than_two() {
    let place = place();
    let one = coverage(&place, &["--tests", "tests/none.toml"]);
    assert!(one.contains("9 of 15 (60.0%)") && one.contains("3 of 10 (30.0%)"), "{one}");
    let both = ["--tests", "tests/none.toml", "--tests", "tests/five.toml"];
    assert_eq!(coverage(&place, &both), coverage(&place, &["--tests", "tests"]));
}

/// Branches of a line by the fate of their ways.
fn branches(lcov: &str) -> BTreeMap<(u32, u32), Vec<String>> {
    let mut found: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    for line in lcov.lines().filter_map(|line| line.strip_prefix("BRDA:")) {
        let [line, branch, way, taken] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let ways = found.entry((line.parse().unwrap(), branch.parse().unwrap())).or_default();
        assert_eq!(way, ways.len().to_string());
        ways.push(taken.into());
    }
    found
}

#[test]
fn lcov_has_every_line_and_way() {
    let place = place();
    coverage(&place, &["--tests", "tests", "--lcov", "covered.info"]);
    let lcov = place.read("covered.info");
    let source = place.path("sign.c").canonicalize().unwrap();
    assert_eq!(
        lcov.lines().take(2).collect::<Vec<_>>(),
        ["TN:", &format!("SF:{}", source.display())]
    );
    assert_eq!(lcov.lines().last(), Some("end_of_record"));
    let lines: Vec<&str> = lcov.lines().filter_map(|line| line.strip_prefix("DA:")).collect();
    let expected = [
        "4,1", "5,1", "6,1", "7,0", "8,1", "9,1", "12,0", "13,0", "14,0", "18,1", "19,1", "20,0",
        "21,1", "22,1", "23,1",
    ];
    assert_eq!(lines, expected);
    let branches = branches(&lcov);
    let of_line = |line| -> Vec<usize> {
        let of_line = branches.iter().filter(|((found, _), _)| *found == line);
        of_line.map(|(_, ways)| ways.iter().filter(|taken| *taken == "1").count()).collect()
    };
    assert_eq!([of_line(4), of_line(6), of_line(12)], [vec![2], vec![1], vec![0]]);
    assert_eq!(of_line(19).iter().sum::<usize>(), 3);
    assert!(branches.iter().any(|((line, _), ways)| *line == 12 && *ways == ["-", "-"]), "{lcov}");
    for sum in ["BRF:10", "BRH:6", "LF:15", "LH:10"] {
        assert!(lcov.lines().any(|line| line == sum), "{sum} in {lcov}");
    }
}

#[test]
fn a_branch_has_its_number_whatever_is_covered() {
    let place = place();
    place.write("others/five.toml", "args = [\"5\"]\n");
    place.write("others/word.toml", "args = [\"x\"]\n");
    let of = |tests: &[&str]| {
        coverage(&place, &[tests, &["--lcov", "merged.info"]].concat());
        branches(&place.read("merged.info"))
    };
    let (none, others) = (["--tests", "tests/none.toml"], ["--tests", "others"]);
    let (one, other, both) = (of(&none), of(&others), of(&[none, others].concat()));
    for (branch, ways) in &both {
        let gone = |way: usize| one[branch][way] == "1" || other[branch][way] == "1";
        let merged: Vec<bool> = (0..ways.len()).map(gone).collect();
        let found: Vec<bool> = ways.iter().map(|taken| taken == "1").collect();
        assert_eq!(merged, found, "{branch:?}");
    }
}

#[test]
fn json_says_the_same() {
    let place = place();
    let json = coverage(&place, &["--tests", "tests", "--json"]);
    let json: String = json.split_whitespace().collect();
    let name = place.path("sign.c").canonicalize().unwrap();
    let start = format!(
        "{{\"schema\":1,\"verb\":\"coverage\",\"tests\":2,\"not_run\":0,\"files\":[{{\"name\":\"{}\",\
         \"lines\":[[4,true],[5,true],[6,true],[7,false],[8,true],[9,true],[12,false],[13,false],\
         [14,false],[18,true],[19,true],[20,false],[21,true],[22,true],[23,true]],\
         \"branches\":[[4,[true,true]],[6,[",
        name.display()
    );
    assert!(json.starts_with(&start), "{json}\n{start}");
    assert!(json.ends_with("]]]}]}"), "{json}");
    let (_, branches) = json.split_once("\"branches\":").unwrap();
    let count = |word| branches.matches(word).count();
    assert_eq!((count("true"), count("false")), (6, 4));
    assert!(branches.contains("[12,[false,false]]"), "{branches}");
}

#[test]
fn what_cannot_be_read_or_written_is_trouble() {
    let place = place();
    for (words, why) in [
        (["--tests", "nowhere", "--lcov", "x"], "nowhere: No such file"),
        (["--tests", "tests", "--lcov", "no/such"], "failed to write no/such: No such file"),
    ] {
        let printed = place.parallax(&[&["coverage", "sign.c"], &words[..]].concat());
        assert_eq!(printed.status, 2, "{printed:?}");
        assert!(printed.stderr.contains(why), "{printed:?}");
    }
}
