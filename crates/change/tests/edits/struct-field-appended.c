// A new last field moves nothing, but what is allocated and counted is larger.
//--- old
#include <stdlib.h>
struct node { int key; int value; };
int f(struct node *p) {
  p = malloc(sizeof *p);
  p->key = 3;
  p->value = 4;
  return p[2].key;
}
int main(void) { return f(0); }
//--- new
#include <stdlib.h>
struct node { int key; int value; int flags; };
int f(struct node *p) {
  p = malloc(sizeof *p);
  p->key = 3;
  p->value = 4;
  return p[2].key;
}
int main(void) { return f(0); }
//--- expect
modified f old 4-4 new 4-4
modified f old 7-7 new 7-7
