// The object is a Circle, so the loop ends; `dynamic_cast` is a call into the runtime.
struct Shape {
  virtual ~Shape() {}
};
struct Circle : Shape {};

int main() {
  Shape *shape = new Circle;
  while (dynamic_cast<Circle *>(shape) == nullptr) {
  }
  return 0;
}
