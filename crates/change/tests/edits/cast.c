// A cast that cuts off.
//--- old
int main(int argc, char **argv) {
  long x = argc * 1000L;
  return x > 5;
}
//--- new
int main(int argc, char **argv) {
  long x = (char)(argc * 1000L);
  return x > 5;
}
//--- expect
modified main old 2-2 new 2-2
