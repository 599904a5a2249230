// Ends: three counted loops, and the printed path is cut after as many hops as nodes.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define V 6
#define FAR 1000000

static int dist[V][V], next[V][V];

static void read_graph(void)
{
    for (int i = 0; i < V; i++)
        for (int j = 0; j < V; j++) {
            int w = __VERIFIER_nondet_int();
            dist[i][j] = i == j ? 0 : w > 0 && w < 100 ? w : FAR;
            next[i][j] = j;
        }
}

static void relax(void)
{
    for (int k = 0; k < V; k++)
        for (int i = 0; i < V; i++)
            for (int j = 0; j < V; j++)
                if (dist[i][k] + dist[k][j] < dist[i][j]) {
                    dist[i][j] = dist[i][k] + dist[k][j];
                    next[i][j] = next[i][k];
                }
}

int main(void)
{
    read_graph();
    relax();
    int at = 0;
    for (int hops = 0; at != V - 1 && hops < V; hops++) {
        printf("%d ", at);
        at = next[at][V - 1];
    }
    printf("%d\n", at);
    return 0;
}
