// A sign is seen again by the call that should read what is behind it.
static const char *at;
static int value(void) {
  if (*at == '-')
    return -value();
  return *at++ - '0';
}
int main(void) {
  at = "-3";
  return value();
}
