//! Chains of dependence.

use parallax_change::{ChainFinder, LinkKind};

use super::subject::Subject;

/// The fourth paper's program.
const TWO_DECISIONS: &str = r#"
int printf(const char *, ...);
int main(int argc, char **argv) {
    int x = argc, y = argv[0][0];
    if (x <= 2)                  /*@1*/
        y = y + 1;               /*@2*/
    else
        y = y - 1;               /*@4*/
    if (y > 2)                   /*@6*/
        printf("1\n");           /*@7*/
    else
        printf("0\n");           /*@9*/
    return 0;
}
"#;

#[test]
fn there_are_four_chains_of_length_three() {
    let subject = Subject::new(TWO_DECISIONS);
    let dependence = subject.dependence();
    let mut finder = ChainFinder::new(&subject.program, &dependence, &subject.statements);
    for (length, expected) in [
        (1, vec!["1 control 2", "1 control 4"]),
        (2, vec!["1 control 2 y 6", "1 control 4 y 6"]),
        (
            3,
            vec![
                "1 control 2 y 6 control 7",
                "1 control 2 y 6 control 9",
                "1 control 4 y 6 control 7",
                "1 control 4 y 6 control 9",
            ],
        ),
    ] {
        let chains = finder.chains(&subject.sites("1"), length, 100);
        assert!(!chains.is_cut);
        let name = |statement| {
            let location = subject.statements.get(statement).location.unwrap();
            subject.name(location.line)
        };
        let texts = chains.chains.iter().map(|chain| {
            let mut text = name(chain.from);
            for link in &chain.links {
                let kind = match &link.kind {
                    LinkKind::Control => "control",
                    LinkKind::Data(variable) => variable.as_deref().unwrap_or("value"),
                };
                text += &format!(" {kind} {}", name(link.to));
            }
            text
        });
        let mut texts: Vec<_> = texts.collect();
        texts.sort();
        assert_eq!(texts, expected);
    }
}

#[test]
fn that_a_variable_has_an_address_is_no_dependence() {
    let subject = Subject::new(
        r#"
int printf(const char *, ...);
static int sum(int a, int n) {   /*@parameters*/
    int b = n;                   /*@copy*/
    if (a)                       /*@decides*/
        return b;                /*@returns*/
    return -2;
}
int main(int argc, char **argv) { return sum(argc, 3); }
"#,
    );
    let dependence = subject.dependence();
    let mut finder = ChainFinder::new(&subject.program, &dependence, &subject.statements);
    let (sum, _) = subject.program.defined().find(|(_, it)| it.name == "sum").unwrap();
    let mut own = subject.statements.iter().filter(|(_, statement)| statement.function == sum);
    // The allocas of all variables are in front of the first statement, which stores `a`.
    let (first, _) = own.next().unwrap();
    let links = finder.next(first);
    let to = links.iter().filter_map(|link| subject.statements.get(link.to).location);
    let to: Vec<_> = to.map(|location| subject.name(location.line)).collect();
    assert_eq!(to, ["decides"]);
}
