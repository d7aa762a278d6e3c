// An index out of its object's range is not resolved: the run goes on where the machine goes.
// TEST: args = ["7"]
static char small[4] = "abc";
char after[64] = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";
int main(int argc, char **argv) {
    volatile int index = argv[1][0] - '0';
    if (small[index] == after[3]) return 1; // CHECK: @ arg[1][0] == '7' (pin)
    return 2;
}
