// Parentheses that say what is meant anyhow.
//--- old
int main(int argc, char **argv) {
  return argc * 2 + 1;
}
//--- new
int main(int argc, char **argv) {
  return ((argc * 2) + (1));
}
//--- expect
unchanged
