//! The text of a picture: cut to the size of a box, and free of characters that could break out of
//! it.
//!
//! Widths are counted, not measured: the font has one width, and the few characters that take two
//! places in it are known by their range.

/// The height of a letter's box in the svg.
pub(super) const FONT: f64 = 12.0;
/// The height of a label's letters.
pub(super) const LABEL_FONT: f64 = 11.0;
/// From one line to the next.
pub(super) const LINE: f64 = 16.0;

/// The width of a letter, by the height of its font: a little more than most fonts take.
const ASPECT: f64 = 0.605;
const MOST_COLUMNS: usize = 60;
const MOST_LABEL_COLUMNS: usize = 24;
const MOST_TITLE_COLUMNS: usize = 110;
const MOST_LINES: usize = 12;
const ELLIPSIS: &str = "…";

/// The lines that a box shows.
pub(super) fn shown(lines: &[String]) -> Vec<String> {
    let mut shown: Vec<_> =
        lines.iter().take(MOST_LINES).map(|line| cut(&clean(line), MOST_COLUMNS)).collect();
    if lines.len() > MOST_LINES {
        shown.push(ELLIPSIS.to_owned());
    }
    shown
}

/// The visible label of an edge.
pub(super) fn label(text: &str) -> String {
    cut(&clean(text), MOST_LABEL_COLUMNS)
}

/// The text above the picture.
pub(super) fn title(text: &str) -> String {
    cut(&clean(text), MOST_TITLE_COLUMNS)
}

/// The width of a text in a font of that height.
pub(super) fn width(text: &str, font: f64) -> f64 {
    columns(text) as f64 * font * ASPECT
}

/// The text without characters that cannot be seen, that move others or that XML cannot hold.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|&c| can_be_seen(c)).collect()
}

/// Text for an element or an attribute of XML.
pub(super) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

fn can_be_seen(c: char) -> bool {
    let moves_others = matches!(c,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !(c.is_control() || moves_others || matches!(c, '\u{fffe}' | '\u{ffff}'))
}

fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut used = columns(ELLIPSIS);
    let fits = |c: &char| {
        used += column_count(*c);
        used <= most
    };
    text.chars().take_while(fits).chain(ELLIPSIS.chars()).collect()
}

fn columns(text: &str) -> usize {
    text.chars().map(column_count).sum()
}

fn column_count(c: char) -> usize {
    let wide = matches!(c,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{1f000}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}');
    if wide { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_xml_is_escaped() {
        assert_eq!(xml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    }

    #[test]
    fn what_cannot_be_seen_is_removed() {
        assert_eq!(clean("a\0b\x1b\u{202e}c\u{ffff}\td\n"), "abc d");
    }

    #[test]
    fn long_lines_and_many_lines_are_cut() {
        let cut = shown(&vec!["x".repeat(100); 20]);
        assert_eq!(cut.len(), 13);
        assert_eq!(cut[0], format!("{}…", "x".repeat(59)));
        assert_eq!(cut[12], "…");
        assert_eq!(shown(&["x".repeat(60)]), ["x".repeat(60)]);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(columns("a漢"), 3);
        assert_eq!(columns(&shown(&["漢".repeat(40)])[0]), 59);
    }
}
