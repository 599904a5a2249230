// Without a child it fails at once; the model does not know processes.
#include <sys/wait.h>

int main(void) {
  int status;
  while (waitpid(-1, &status, 0) > 0)
    ;
  return 0;
}
