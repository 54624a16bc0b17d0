/* What the simulators of this folder and of ../traffic share: random numbers, and the statistics of a level. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { uint64_t state; } Random;

static double uniform(Random *r) {
    r->state ^= r->state << 13; r->state ^= r->state >> 7; r->state ^= r->state << 17;
    return (r->state >> 11) * (1.0 / 9007199254740992.0);
}

static double normal(Random *r) {
    double u = uniform(r) + 1e-18, v = uniform(r);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int n, double q) {
    double h = (n - 1) * q;
    int i = (int)h;
    return i >= n - 1 ? sorted[n - 1] : sorted[i] + (h - i) * (sorted[i + 1] - sorted[i]);
}

/* Prints mean, sd, p50, p90, p99. */
static void print_statistics(const char *name, double *values, int n) {
    double mean = 0, square = 0;
    for (int i = 0; i < n; i++) mean += values[i];
    mean /= n;
    for (int i = 0; i < n; i++) square += (values[i] - mean) * (values[i] - mean);
    qsort(values, n, sizeof *values, ascending);
    printf("\"%s\":[%.6g,%.6g,%.6g,%.6g,%.6g]", name, mean, sqrt(square / n), quantile(values, n, .5),
           quantile(values, n, .9), quantile(values, n, .99));
}
