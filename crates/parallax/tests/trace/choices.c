// Branches, switches, conditional expressions and computed gotos are decisions of the path.
// TEST: args = ["b1xg"]
int main(int argc, char **argv) {
    static void *const ways[] = {&&first, &&second};
    int result = 0;
    switch (argv[1][0]) { // CHECK: @ arg[1][0] == 'b'
    case 'a': return 1;
    case 'b': result = 2; break;
    default: return 3;
    }
    result += argv[1][1] == '1' ? 10 : 20;
    switch (argv[1][2]) { // CHECK: @ arg[1][2] != 'p' && arg[1][2] != 'q'
    case 'p': return 4;
    case 'q': return 5;
    default: break;
    }
    goto *ways[argv[1][3] & 1];
first:
    return result;
second:
    return result + 100;
}
// CHECK: choices.c:3 load64(
// CHECK: (pin)
// CHECK: exit status
// CHECK: (arg[1][1] == '1' ? 10 : 20) + 102
