// Whether a variable that the program asks for is set is a choice, and so is its value.
// TEST: env = { MODE = "fast" }
// TEST: args = []
#include <stdlib.h>
int main(void) {
    const char *mode = getenv("MODE"); // CHECK: @ getenv env:MODE.exists
    if (!mode) return 1;
    if (mode[0] == 'f') return 2; // CHECK: @ env:MODE[0] == 'f'
    return 3;
}
// CHECK: exit status 1
// CHECK: !env:MODE.exists
