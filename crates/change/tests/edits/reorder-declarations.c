// Declarations only make space.
//--- old
void fill(int *p);
int main(int argc, char **argv) {
  int a;
  int b;
  char buffer[8];
  fill(&a);
  fill(&b);
  fill((int *)buffer);
  return a - b;
}
//--- new
void fill(int *p);
int main(int argc, char **argv) {
  char buffer[8];
  int b, a;
  fill(&a);
  fill(&b);
  fill((int *)buffer);
  return a - b;
}
//--- expect
unchanged
