//! Expressions as people read them.
//!
//! Operators and precedence are C's. What C takes from types is said where it matters:
//! - `<`, `/`, `%`, `>>` are signed; with a `u` they are unsigned, with an `f` on floats;
//! - zero extension is silent, sign extension to 64 bits is `(i64)x`, cutting to 8 is `i8(x)`;
//! - arithmetic that wraps at fewer than 32 bits, or before it is extended, is in `i8(…)` too;
//! - bytes that follow each other in an input are `stdin[0..4]`, little-endian, or `be(stdin[0..4])`;
//! - a byte that is compared with a printable character is compared with `'x'`.
//!
//! A large expression is given in several lines: what it uses more than once is defined first as
//! `t1`, `t2` and so on. What lies deeper than the limit is `…`. Both are decided on the graph, so
//! that an expression whose tree has more nodes than there are atoms costs no more than its limit.

mod form;
mod number;

use std::collections::{BTreeMap, VecDeque};

use crate::{ExprId, Graph};
use form::{Context, Piece};

/// Default limit on shown expressions.
const LIMIT: usize = 120;

/// Prints expressions of a graph.
pub struct Printer<'g> {
    graph: &'g Graph,
    limit: usize,
}

impl<'g> Printer<'g> {
    /// A printer with a limit that fits on a screen.
    pub fn new(graph: &'g Graph) -> Printer<'g> {
        Printer { graph, limit: LIMIT }
    }

    /// A printer that shows at most so many different expressions.
    pub fn with_limit(graph: &'g Graph, limit: usize) -> Printer<'g> {
        Printer { graph, limit: limit.max(1) }
    }

    /// The expression, and before it the lines that it refers to.
    pub fn print(&self, root: ExprId) -> String {
        let page = Page::new(self.graph, root, self.limit);
        let mut text = String::new();
        for (id, name) in &page.names {
            text += &format!("{name} = {}\n", page.render(*id));
        }
        text + &page.render(root)
    }
}

/// The part of an expression that is shown.
struct Page<'g> {
    graph: &'g Graph,
    /// Number of uses of each shown expression by others.
    uses: BTreeMap<ExprId, u32>,
    /// The names of those that have a line of their own.
    names: BTreeMap<ExprId, String>,
}

impl<'g> Page<'g> {
    fn new(graph: &'g Graph, root: ExprId, limit: usize) -> Page<'g> {
        let mut page = Page { graph, uses: BTreeMap::from([(root, 0)]), names: BTreeMap::new() };
        let hides = page.reveal(root, limit);
        let sizes = page.tree_sizes();
        if hides || sizes[&root] > limit {
            page.name(root, &sizes);
        }
        page
    }

    /// Decides what is shown, nearest to the root first, and says whether anything is not.
    fn reveal(&mut self, root: ExprId, limit: usize) -> bool {
        let mut queue = VecDeque::from([root]);
        let mut hides = false;
        while let Some(id) = queue.pop_front() {
            for operand in self.graph.expr(id).operands() {
                if let Some(uses) = self.uses.get_mut(&operand) {
                    *uses += 1;
                } else if self.uses.len() < limit || self.graph.expr(operand).is_leaf() {
                    self.uses.insert(operand, 1);
                    queue.push_back(operand);
                } else {
                    hides = true;
                }
            }
        }
        hides
    }

    /// How many nodes each expression would have if nothing had a name.
    fn tree_sizes(&self) -> BTreeMap<ExprId, usize> {
        let mut sizes: BTreeMap<ExprId, usize> = BTreeMap::new();
        for id in self.uses.keys() {
            let operands = self.graph.expr(*id).operands();
            let size = operands.filter_map(|operand| sizes.get(&operand).copied());
            let size = size.fold(1, usize::saturating_add);
            sizes.insert(*id, size);
        }
        sizes
    }

    fn name(&mut self, root: ExprId, sizes: &BTreeMap<ExprId, usize>) {
        let is_shared = |id: &ExprId, uses: u32| *id != root && uses > 1 && sizes[id] > 2;
        let shared = self.uses.iter().filter(|(id, uses)| is_shared(id, **uses));
        let named = shared.zip(1..).map(|((id, _), number)| (*id, format!("t{number}")));
        self.names = named.collect();
    }

    /// Renders one line, with a worklist instead of recursion.
    fn render(&self, root: ExprId) -> String {
        let mut text = String::new();
        let mut pending = self.form(root, Context::default());
        pending.reverse();
        while let Some(piece) = pending.pop() {
            match piece {
                Piece::Text(part) => text.push_str(&part),
                Piece::Operand(id, context) => {
                    pending.extend(self.operand(id, context).into_iter().rev())
                }
            }
        }
        text
    }

    fn operand(&self, id: ExprId, context: Context) -> Vec<Piece> {
        match self.names.get(&id) {
            Some(name) => vec![Piece::text(name.clone())],
            None if !self.uses.contains_key(&id) => vec![Piece::text("…")],
            None => self.form(id, context),
        }
    }

    /// Whether an expression is written where it is used.
    fn is_inline(&self, id: ExprId) -> bool {
        self.uses.contains_key(&id) && !self.names.contains_key(&id)
    }
}
