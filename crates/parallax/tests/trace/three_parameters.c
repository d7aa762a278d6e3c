// main may ask for the environment too, and may have attributes.
// TEST: args = ["q"], env = { A = "b" }
#include <string.h>
__attribute__((noinline, used)) int main(int argc, char **argv, char **envp) {
    int found = 0;
    for (char **at = envp; *at; at++) found += strncmp(*at, "A=", 2) == 0;
    if (argc > 1 && argv[1][0] == 'q') found += 10; // CHECK: @ argc > 1
    return found;
}
// CHECK: arg[1][0] == 'q'
