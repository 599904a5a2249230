// A socket: closed, unless the input is 1 (forgotten), and listening, unless it is 2.
#include <sys/socket.h>
#include <unistd.h>

extern int input(void);

int main(void) {
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0) return 1;
    switch (input()) {
    case 1:
        return 0;
    case 2:
        break;
    default:
        if (listen(server, 1) != 0) {
            close(server);
            return 1;
        }
    }
    int client = accept(server, NULL, NULL);
    if (client >= 0) close(client);
    close(server);
    return 0;
}
