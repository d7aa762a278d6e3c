// Fields that change places are a change where they are used, and the others are not.
//--- old
struct point { int x; int y; int z; };
int f(struct point *p) {
  int a = p->x;
  int c = p->z;
  p->y = 4;
  return a + c;
}
int main(void) { return 0; }
//--- new
struct point { int y; int x; int z; };
int f(struct point *p) {
  int a = p->x;
  int c = p->z;
  p->y = 4;
  return a + c;
}
int main(void) { return 0; }
//--- expect
modified f old 3-3 new 3-3
modified f old 5-5 new 5-5
