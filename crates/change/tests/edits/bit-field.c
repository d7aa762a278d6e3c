// A wider bit-field is another way to cut out bits.
//--- old
struct flags { unsigned a : 3; unsigned b : 5; };
int f(struct flags *p) {
  int x = p->a;
  return x + 1;
}
int main(void) { return 0; }
//--- new
struct flags { unsigned a : 4; unsigned b : 4; };
int f(struct flags *p) {
  int x = p->a;
  return x + 1;
}
int main(void) { return 0; }
//--- expect
modified f old 3-3 new 3-3
