//! Queries of explorations of real programs, answered by all solvers together and by Z3 alone:
//! `bench_solve SECONDS PROGRAM…`.
//!
//! Each program is explored for so long; every query is kept once, up to renaming. Then all of them
//! are asked again, in their order.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use parallax_capture::Build;
use parallax_instrument::symbolic_build_cached;
use parallax_run::{
    Addresses, Limits, MemoryLimit, Subject,
    lab::{Isolation, Lab},
    trace::TraceOptions,
};
use parallax_search::{Aim, Bounds, Budget, Campaign, Code, Directive, Options, Policy};
use parallax_solve::{
    Answer, Assumptions, Backend, Effort, Graph, Query, Solution, Solver, Variable, Work, Z3,
};

/// Queries of one program, evenly taken from all there are.
const MOST: usize = 1000;
/// The time limit of Z3 for each, alone or after all others.
const TIME: Duration = Duration::from_secs(1);

struct Question {
    graph: Graph,
    query: Query,
    current: Vec<u64>,
}

/// The answers to all queries.
#[derive(Default)]
struct Answers {
    time: Duration,
    sat: Vec<bool>,
    unknown: usize,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut all = [Duration::ZERO; 3];
    let (mut asked, mut lost) = (0, 0);
    println!(
        "{:10} {:>8} {:>11} {:>11} {:>11} {:>6}",
        "program", "queries", "ours", "cached", "z3", "lost"
    );
    for program in arguments {
        let questions = questions(Path::new(&program), Duration::from_secs(seconds))?;
        let ours = ask_all(&questions, false);
        let cached = ask_all(&questions, true);
        let z3 = ask_z3(&questions);
        let missed = ours.sat.iter().zip(&z3.sat).filter(|(ours, z3)| **z3 && !**ours).count();
        let rate = |time: Duration| format!("{:.0}/s", questions.len() as f64 / time.as_secs_f64());
        let name = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
        println!(
            "{name:10} {:>8} {:>11} {:>11} {:>11} {missed:>6}   unknown: {} ours, {} z3",
            questions.len(),
            rate(ours.time),
            rate(cached.time),
            rate(z3.time),
            ours.unknown,
            z3.unknown
        );
        for (sum, time) in all.iter_mut().zip([ours.time, cached.time, z3.time]) {
            *sum += time;
        }
        asked += questions.len();
        lost += missed;
    }
    let [ours, cached, z3] = all.map(|time| time.as_secs_f64());
    println!("{asked} queries, with the cache {:.1}x over z3", z3 / cached);
    println!("solve: {:.1}x over z3, {lost} lost", z3 / ours);
    Ok(())
}

/// The queries of exploring a program.
fn questions(program: &Path, time: Duration) -> anyhow::Result<Vec<Question>> {
    let build = Build::open(program).map_err(|why| anyhow!("failed to {why}"))?;
    let symbolic = Arc::new(symbolic_build_cached(&build)?);
    let subject = Subject {
        program: symbolic.program.clone(),
        name: program.file_name().context("a program has a name")?.as_encoded_bytes().to_vec(),
        library_path: build.library_path.clone(),
        env: Vec::new(),
        memory: MemoryLimit::Resident(2 << 30),
        addresses: Addresses::Fixed,
        forks: true,
    };
    let places = Arc::clone(&symbolic);
    let code = Code {
        branches: symbolic.places.ways(&symbolic.model).map(|(number, _)| number).collect(),
        cases: Arc::new(move |site| places.cases(site)),
        words: symbolic.model.words(),
    };
    let options = Options {
        aim: Aim::Find,
        budget: Budget { time: Some(time), runs: None },
        bounds: Bounds::default(),
        policy: Policy::default(),
        limits: Limits::default(),
        trace: TraceOptions { sites: symbolic.places.size(), ..TraceOptions::default() },
    };
    let found: Arc<Mutex<(HashSet<u128>, Vec<Question>)>> = Arc::default();
    let make_solver = || {
        let mut solver = Solver::new(Effort::default(), Some(Box::new(Z3::new())));
        let found = Arc::clone(&found);
        solver.watch(Box::new(move |graph, query, current| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if found.0.insert(query.key.0) {
                let (graph, query) = query.detached(graph);
                found.1.push(Question { graph, query, current: current.to_vec() });
            }
        }));
        solver
    };
    let labs = vec![Lab::start(Isolation::Sandboxed)?, Lab::start(Isolation::Sandboxed)?];
    Campaign::new(labs, &subject, &code, options, None, &make_solver)?
        .run(Vec::new(), &mut |_| Directive::default())?;
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    let step = found.1.len().div_ceil(MOST).max(1);
    Ok(std::mem::take(&mut found.1).into_iter().step_by(step).collect())
}

fn ask_all(questions: &[Question], cache: bool) -> Answers {
    let effort = Effort { cache, ..Effort::default() };
    let mut solver = Solver::new(effort, Some(Box::new(Z3::new().with_time(TIME))));
    let mut answers = Answers::default();
    let start = Instant::now();
    for Question { graph, query, current } in questions {
        let mut assumptions = Assumptions::new();
        let Some((goal, path)) = query.conditions.split_last() else { continue };
        for condition in path {
            solver.assume(&mut assumptions, graph, *condition);
        }
        let names = query.variables.iter().map(|id| graph.variable(*id));
        let known: HashMap<&Variable, u64> = names.zip(current.iter().copied()).collect();
        let values = |variable: &Variable| known.get(variable).map(|value| u128::from(*value));
        let solution = solver.solve(&mut assumptions, graph, *goal, &values);
        answers.sat.push(matches!(solution, Solution::Found(_)));
        answers.unknown += usize::from(solution == Solution::Unknown);
    }
    answers.time = start.elapsed();
    answers
}

fn ask_z3(questions: &[Question]) -> Answers {
    let mut z3 = Z3::new().with_time(TIME);
    let mut answers = Answers::default();
    let start = Instant::now();
    for Question { graph, query, .. } in questions {
        let answer = z3.solve(graph, query, Work(u64::from(u32::MAX)));
        // A wrong model is no answer.
        let is_sat = matches!(&answer, Answer::Sat(model) if query.holds(graph, model));
        answers.sat.push(is_sat);
        answers.unknown += usize::from(answer == Answer::Unknown);
    }
    answers.time = start.elapsed();
    answers
}
