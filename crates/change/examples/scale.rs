//! x
#![allow(clippy::unwrap_used, reason = "x")]
use parallax_program::{*, graph::*, dependence::*};
use parallax_change::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let t = Instant::now();
    let image = Image { parts: vec![args[1].clone().into()], ..Image::default() };
    let module = Module::assemble(&[image]).unwrap();
    eprintln!("assemble {:?}", t.elapsed()); let t = Instant::now();
    let program = Program::read(&module); drop(module);
    eprintln!("read {:?} instrs {} funcs {}", t.elapsed(), program.instructions().count(), program.defined().count()); let t = Instant::now();
    let points = PointsTo::analyse(&program);
    eprintln!("points {:?} cells {}", t.elapsed(), points.cells()); let t = Instant::now();
    let calls = CallGraph::new(&program, &points);
    eprintln!("calls {:?}", t.elapsed()); let t = Instant::now();
    let whole = WholeFlow::new(&program, calls);
    eprintln!("whole {:?} nodes {}", t.elapsed(), whole.len()); let t = Instant::now();
    let f = program.function(&args[2]).unwrap();
    let line: u32 = args[3].parse().unwrap();
    let _ = f; let sites: Vec<SiteId> = program.functions.iter().filter(|f| f.location.is_some_and(|l| program.files[l.file as usize].ends_with(&args[4]))).flat_map(|f| &f.blocks).flat_map(|b| &b.instructions).filter(|i| i.location.is_some_and(|l| l.line == line)).map(|i| i.site).collect();
    let node = whole.node_at(sites[0]).unwrap();
    let d = Distances::to(&whole, &[node]);
    let all: Vec<_> = ways(&whole).collect();
    let near = all.iter().filter(|(f,b,w)| d.of_way(&whole,*f,*b,*w).is_some()).count();
    eprintln!("distance {:?} ways {} finite {}", t.elapsed(), all.len(), near); let t = Instant::now();
    let r = Relevance::of(&whole, &[node]);
    let irr = all.iter().filter(|(f,b,w)| r.is_irrelevant_before(&whole,*f,*b,*w)).count();
    let irr2 = all.iter().filter(|(f,b,w)| r.is_irrelevant_after(&whole,*f,*b,*w)).count();
    eprintln!("relevance {:?} BEI {} BP {}", t.elapsed(), irr, irr2); let t = Instant::now();
    let mut sizes = Vec::new(); let mut big = 0usize; let mut worst: std::collections::HashMap<usize, usize> = Default::default();
    for (id, f) in program.defined() { for i in f.blocks.iter().flat_map(|b| &b.instructions) {
        let p = match i.opcode { Opcode::Load => i.operands[0], Opcode::Store => i.operands[1], _ => continue };
        let n = points.targets(id, p).len(); *worst.entry(n.next_power_of_two()).or_default() += 1; sizes.push(n); if n > 100 { big += 1; } } }
    let mut w: Vec<_> = worst.into_iter().collect(); w.sort();
    eprintln!("accesses {} avg {} max {:?} over100 {} hist {:?} {:?}", sizes.len(), sizes.iter().sum::<usize>() as f64 / sizes.len() as f64, sizes.iter().max(), big, w, t.elapsed());
    let t = Instant::now();
    let dep = Dependence::new(&program, &whole, &points);
    eprintln!("memory {:?}", t.elapsed()); let t = Instant::now();
    let s = dep.slice(&sites, Follow::Dependents, Extent::All);
    eprintln!("slice {:?} {} of {}", t.elapsed(), s.len(), program.instructions().count());
    let mut rows: Vec<(usize, usize, String)> = program.defined().map(|(_, f)| { let all: Vec<_> = f.blocks.iter().flat_map(|b| &b.instructions).collect(); (all.len(), all.iter().filter(|i| s.contains(i.site)).count(), f.name.clone()) }).collect();
    rows.sort(); rows.reverse(); for r in rows.iter().take(25) { eprintln!("{r:?}"); }
    let lines: std::collections::BTreeSet<u32> = program.function("main").unwrap().blocks.iter().flat_map(|b| &b.instructions).filter(|i| s.contains(i.site)).filter_map(|i| i.location).map(|l| l.line).collect();
    eprintln!("{:?}", lines.iter().take(60).collect::<Vec<_>>());
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    eprintln!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap());
}
