// C as it was written forty years ago: no prototypes, no types, too few and too many arguments.
// TEST: args = ["q"]
// FLAGS: --cflags=-std=gnu89
add(a, b) int a, b; { return a + b; }
first(a) char *a; { return a ? a[0] : 0; }
nothing() { return 3; }
main(argc, argv) char **argv; {
    if (first(argv[1], 1, 2) != 'q') return 1; // CHECK: @ arg[1][0] == 'q'
    if (nothing(argv[1][0]) != 3) return 2;
    if (add(argv[1][0], 1) == 'r') return late(argv[1][0]);
    return 4;
}
late(c) { return c == 'q' ? 5 : 6; }
// CHECK: exit status
// CHECK: arg[1][0] == 'q' ? 5 : 6
