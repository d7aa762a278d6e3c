// The names of types and fields mean nothing.
//--- old
struct point { int x; int y; };
int f(struct point *p) { return p->x * p->y; }
int main(void) { struct point p = {1, 2}; return f(&p); }
//--- new
struct position { int left; int top; };
int f(struct position *p) { return p->left * p->top; }
int main(void) { struct position p = {1, 2}; return f(&p); }
//--- expect
unchanged
