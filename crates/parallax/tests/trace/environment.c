// Whether a variable that the program asks for is set is a choice, and so is its value.
// TEST: env = { MODE = "fast" }
// TEST: args = []
#include <stdlib.h>
int main(void) {
    const char *mode = getenv("MODE");
    if (!mode) return 1;
    if (mode[0] == 'f') return 2;
    return 3;
}
