//! Traced runs are forked from a program that was started once: each must behave as if it were the
//! only one, whatever earlier runs have done.

#![allow(clippy::unwrap_used, reason = "a test's panic is its report")]

mod tracing;

use std::time::Duration;

use parallax_run::{Ending, Entry, TestCase};
use tracing::{Checker, build};

const SOURCE: &str = r#"
    #define _GNU_SOURCE
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sched.h>
    #include <sys/mman.h>
    #include <sys/resource.h>
    #include <sys/shm.h>
    #include <unistd.h>
    static int counter;
    static void *thread(void *unused) { counter++; return unused; }
    int main(int argc, char **argv) {
        char text[4096], *what = argc > 1 ? argv[1] : "";
        printf("process %d of %d, leads %d, in %s\n", getpid(), getppid(), getsid(0) == getpid(),
               getcwd(text, sizeof text));
        printf("run %d, home %s, left %d, shared %d\n", ++counter, getenv("HOME"),
               access("left", F_OK) == 0 || access("/tmp/left", F_OK) == 0 ||
               access("/dev/shm/left", F_OK) == 0, shmget(77, 4096, 0) >= 0);
        struct rlimit limit;
        cpu_set_t processors;
        getrlimit(RLIMIT_NOFILE, &limit);
        sched_getaffinity(0, sizeof processors, &processors);
        printf("limit %ld, priority %d, policy %d, processors %d\n", (long)limit.rlim_cur,
               getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), CPU_COUNT(&processors));
        for (int i = 0; i < argc; i++) printf("argument %d is %s\n", i, argv[i]);
        for (int fd = 0; fd < 256; fd++) if (fcntl(fd, F_GETFD) >= 0) printf("open %d\n", fd);
        while (fgets(text, sizeof text, stdin)) printf("line %s", text);
        fflush(stdout);
        if (!strcmp(what, "abort")) abort();
        if (!strcmp(what, "raise")) raise(SIGUSR1);
        if (!strcmp(what, "loop")) for (;;) pause();
        if (!strcmp(what, "kill")) kill(-1, SIGKILL);
        if (!strcmp(what, "stop")) kill(-1, SIGSTOP);
        if (!strcmp(what, "leave")) {
            const char *names[] = {"left", "/tmp/left", "/dev/shm/left"};
            for (int i = 0; i < 3; i++) close(open(names[i], O_CREAT | O_WRONLY, 0600));
            shmget(77, 4096, IPC_CREAT | 0600);
        }
        if (!strcmp(what, "reach")) {
            struct sched_param none = {0};
            int others[] = {1, 300};
            CPU_ZERO(&processors);
            CPU_SET(sched_getcpu(), &processors);
            for (int i = 0; i < 2; i++) {
                prlimit(others[i], RLIMIT_NOFILE, &(struct rlimit){9, 9}, NULL);
                setpriority(PRIO_PROCESS, others[i], 9);
                sched_setaffinity(others[i], sizeof processors, &processors);
                sched_setscheduler(others[i], SCHED_IDLE, &none);
            }
            setpriority(PRIO_USER, getuid(), 9);
            char *left = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, open("left", O_RDWR), 0);
            if (left != MAP_FAILED) left[0] = 'x';
        }
        if (!strcmp(what, "thread")) {
            pthread_t other;
            pthread_create(&other, NULL, thread, NULL);
            pthread_join(other, NULL);
            printf("counted %d\n", counter);
        }
        if (!strcmp(what, "daemon") && fork() == 0) {
            setsid();
            close(0), close(1), close(2);
            for (;;) close(open("left", O_CREAT | O_WRONLY, 0600));
        }
        return counter;
    }
"#;

#[test]
fn each_run_is_as_if_it_were_the_only_one() {
    let program = build("who", SOURCE, &[]).unwrap();
    let mut checker = Checker::new();
    checker.limits.time = Duration::from_millis(1500);
    let test = |args: &[&str], stdin: &str| TestCase {
        args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        stdin: Some(stdin.into()),
        ..TestCase::default()
    };
    let long = "x".repeat(100_000);
    let mut tests = vec![test(&[], "")];
    for what in ["abort", "raise", "thread", "leave", "kill", "stop", "daemon", "loop", &long] {
        tests.extend([test(&[what], "one\n"), test(&["plain", "", "b c"], "two\nthree")]);
    }
    let mut with_file = test(&["reach"], "");
    with_file.files.insert(b"left".to_vec(), Entry::File { data: vec![1], executable: false });
    let mut with_variable = test(&["plain"], "");
    with_variable.env.insert(b"HOME".to_vec(), b"/elsewhere".to_vec());
    tests.extend([with_file.clone(), with_file, test(&[], ""), with_variable, test(&[], "")]);
    for test in &tests {
        let shown: String = test.to_toml().chars().take(200).collect();
        // Where all runs are killed or never end, only their output so far is reported.
        let native = checker.native(&program, test);
        let traced = checker.trace(&program, test).unwrap().seen;
        assert_eq!(traced.ending, native.ending, "{shown}");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&traced.stdout.bytes), text(&native.stdout.bytes), "{shown}");
        if native.ending != Ending::TimeLimit && !shown.contains("daemon") {
            assert_eq!(traced.files, native.files, "{shown}");
        }
    }
}
