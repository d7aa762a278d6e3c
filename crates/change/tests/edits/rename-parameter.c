// Nor does the name of a parameter.
//--- old
int f(int width, int height) { return width * height + width; }
int main(int argc, char **argv) { return f(argc, 2); }
//--- new
int f(int w, int h) { return w * h + w; }
int main(int n, char **args) { return f(n, 2); }
//--- expect
unchanged
