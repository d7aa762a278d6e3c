//! A piece of the input that the program compared with a known text.
//!
//! Byte for byte, a comparison is one condition for each byte of the text, and the text cannot
//! become longer than the input. As a whole it gives the wanted text at once.

use parallax_solve::{Expr, ExprId, Graph, Origin, Part};

/// Bytes of an input that were compared with other bytes and differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The number of the event in the trace.
    pub event: u32,
    /// Its place.
    pub site: u32,
    /// The input.
    pub origin: Origin,
    /// The offset of the piece.
    pub offset: u32,
    /// Its length, without the byte that ends a text.
    pub length: u32,
    /// The text it was compared with, likewise.
    pub wanted: Vec<u8>,
}

impl Comparison {
    /// The comparison of two texts, if one is a piece of one input. Bytes without an expression are
    /// concrete.
    pub(crate) fn new(
        event: u32,
        site: u32,
        graph: &Graph,
        (bytes, cells): (&[u8], &[Option<ExprId>]),
        wanted: &[u8],
    ) -> Option<Comparison> {
        let first = cells.iter().position(|cell| cell.is_some())?;
        let (origin, at) = place(graph, cells[first]?)?;
        let start = at.checked_sub(first as u32)?;
        let is_there = |(position, cell): (usize, &Option<ExprId>)| match cell {
            Some(cell) => place(graph, *cell) == Some((origin, start + position as u32)),
            None => bytes[position] == 0 && position + 1 == bytes.len(),
        };
        let ends = |bytes: &[u8]| bytes.last() == Some(&0);
        let length = bytes.len() - usize::from(ends(bytes) && ends(wanted));
        if first > 0 || !cells.iter().enumerate().all(is_there) {
            return None;
        }
        let wanted = if ends(wanted) { &wanted[..wanted.len() - 1] } else { wanted };
        let (origin, length) = (origin.clone(), length as u32);
        Some(Comparison { event, site, origin, offset: start, length, wanted: wanted.to_vec() })
    }
}

/// Limit on operations to visit to find the input byte of an expression.
const MOST_LOOKED_AT: usize = 64;

/// The byte of an input behind an expression: the byte itself, its `tolower`, or the byte unless
/// the input ends before it.
pub(crate) fn place(graph: &Graph, id: ExprId) -> Option<(&Origin, u32)> {
    let mut found = None;
    let mut pending = vec![id];
    let mut looked_at = 0;
    while let Some(id) = pending.pop() {
        looked_at += 1;
        let expr = graph.expr(id);
        pending.extend(expr.operands());
        if looked_at > MOST_LOOKED_AT {
            return None;
        }
        let Expr::Variable { variable, .. } = expr else { continue };
        let variable = graph.variable(variable);
        let Part::Byte(offset) = variable.part else { continue };
        let place = (&variable.origin, offset);
        if found.is_some_and(|found| found != place) {
            return None;
        }
        found = Some(place);
    }
    found
}
