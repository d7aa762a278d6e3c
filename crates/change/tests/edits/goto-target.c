// A jump to another label.
//--- old
void f(int);
int main(int argc, char **argv) {
  if (argc > 3)
    goto fail;
  f(1);
out:
  f(2);
  return 0;
fail:
  f(3);
  return 1;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  if (argc > 3)
    goto out;
  f(1);
out:
  f(2);
  return 0;
fail:
  f(3);
  return 1;
}
//--- expect
modified main old 4-4 new 4-4
