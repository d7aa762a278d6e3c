// A symbolic index into an array of structures reaches one field of each element, of all of them and no other.
// TEST: args = ["2"]
struct slot { int state; char key[8]; int value; };
static struct slot slots[5];
int main(int argc, char **argv) {
    unsigned index = (unsigned char)argv[1][0] % 5;
    slots[index].state = 7;
    if (slots[3].value == 7) return 1;
    if (slots[1].state == 7) return 2; // CHECK: @
    return 0;
}
// CHECK-NOT: fields.c:8
