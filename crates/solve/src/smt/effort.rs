//! The size of a query for a solver that works on single bits.
//!
//! Very large queries reached the time limit before their work limit, probably because Z3 counts
//! little work while it turns operations into gates. So queries that would probably fail are not
//! started.

use crate::{Binary, Expr, Graph, Query, Ternary, Unary};

/// About how many gates the operations of a query are.
pub(crate) fn gates(graph: &Graph, query: &Query) -> u64 {
    query.order.iter().map(|id| gates_of(graph, graph.expr(*id))).fold(0, u64::saturating_add)
}

fn gates_of(graph: &Graph, expr: Expr) -> u64 {
    use Binary::*;
    let width = expr.operands().map(|operand| graph.width(operand)).fold(expr.width(), u32::max);
    let width = u64::from(width);
    match expr {
        // Wiring.
        Expr::Constant { .. } | Expr::Variable { .. } | Expr::Extract { .. } => 0,
        Expr::Binary { operator: Concat, .. } => 0,
        Expr::Binary { operator, a, b, .. } => match operator {
            Mul | UDiv | SDiv | URem | SRem | UMulOverflow | SMulOverflow => {
                let constant = [a, b].into_iter().any(|id| graph.as_constant(id).is_some());
                if constant { 8 * width } else { width * width }
            }
            Shl | LShr | AShr => 8 * width,
            FMul | FDiv => 4 * width * width,
            FAdd | FSub => width * width,
            FRem => 0,
            _ => width,
        },
        Expr::Unary { operator, .. } => match operator {
            Unary::FSqrt => 4 * width * width,
            _ if operator.takes_float() || operator.gives_float() => 32 * width,
            Unary::ZeroExtend | Unary::SignExtend => 0,
            _ => 8 * width,
        },
        Expr::Ternary { operator: Ternary::Ite, .. } => width,
        Expr::Ternary { operator: Ternary::FMulAdd, .. } => 8 * width * width,
        Expr::Ternary { .. } => 16 * width,
        // A choice among all bytes; constants mostly fold away.
        Expr::Load { snapshot, .. } => {
            let snapshot = graph.snapshot(snapshot);
            (snapshot.bytes().len() + 8 * snapshot.symbolic().len()) as u64 + width
        }
    }
}
