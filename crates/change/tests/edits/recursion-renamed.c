// A function that calls itself gets another name and stays the same.
//--- old
static int walk(int n, int sum) {
  if (n == 0)
    return sum;
  return walk(n - 1, sum + n);
}
int main(int argc, char **argv) { return walk(argc, 0); }
//--- new
static int total(int n, int sum) {
  if (n == 0)
    return sum;
  return total(n - 1, sum + n);
}
int main(int argc, char **argv) { return total(argc, 0); }
//--- expect
renamed walk total
unchanged
