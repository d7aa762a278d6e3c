#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mode { OFF, HEAT, COOL };

int main(int argc, char **argv)
{
    enum mode mode = OFF;
    int i, target = 20, on = 0, switches = 0;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "heat") == 0) {
            mode = HEAT;
        } else if (strcmp(argv[i], "cool") == 0) {
            mode = COOL;
        } else if (argv[i][0] == '=') {
            target = atoi(argv[i] + 1);
        } else {
            int t = atoi(argv[i]), was = on;

            switch (mode) {
            case OFF:
                on = 0;
                break;
            case HEAT:
                if (t < target - 1)
                    on = 1;
                else if (t > target + 1)
                    on = 0;
                break;
            case COOL:
                if (t > target + 1)
                    on = 1;
                else if (t < target - 1)
                    on = 0;
                break;
            }
            switches += on != was;
        }
    }
    printf("%s after %d\n", on ? "on" : "off", switches);
    return 0;
}
