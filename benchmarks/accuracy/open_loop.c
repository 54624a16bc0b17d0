/* Continuous batching under Poisson arrivals: what the method's answers for open-loop sweeps are checked against.
 *
 * The first line of standard input is the deployment, as simulator.c reads it (its requests per slot and fewest
 * requests are read and not used); every further line is one level: rate (0: all at once), requests, how many of the
 * first ones are warm-up, whether each request is printed, seed. One JSON line a level goes out. With warm-up the
 * window ends with the last arrival, so that what is printed is the steady state; without, it ends with the last
 * token, as load generators count. Steps, evictions and noise are those of simulator.c, but for the client's own.
 */
#include "simulation.h"

typedef struct {
    double launch_s, weights_s, kv_s, token_s, slot_s, jitter, slow_share, slow_factor, overhead_s, run_sd;
    int budget, max_num_seqs;
    double kv_tokens;
    int lengths;
    double input_tokens, output_tokens, length_sigma, per_slot;
    int least_requests;
} Deployment;

typedef struct { double rate; int requests, warm, records; unsigned long seed; } Level;
typedef struct { double start, first, last; int input, output, cached, done; } Request;

enum { MOST_GAPS = 1 << 15 };

static int length(Random *r, double mean, const Deployment *d) {
    double x = mean;
    if (d->lengths == 1) x = mean * (0.5 + uniform(r));
    if (d->lengths == 3) x = mean * (0.8 + 0.2 * uniform(r));
    if (d->lengths == 2) x = mean * exp(d->length_sigma * normal(r) - d->length_sigma * d->length_sigma / 2);
    int whole = (int)(x + .5);
    return whole < 2 ? 2 : whole;
}

static void print_level(const Level *level, const Request *all, const float *gaps, int gap_count) {
    const Request *q = all + level->warm;
    int n = level->requests - level->warm;
    double *values = malloc(sizeof *values * (gap_count > n ? gap_count : n));
    double begin = q[0].start, end = 0, tokens = 0, stay = 0;
    for (int i = 0; i < n; i++) {
        if (q[i].last > end) end = q[i].last;
        tokens += q[i].output;
        stay += q[i].last - q[i].start;
    }
    if (level->warm) end = q[n - 1].start;
    double window = end - begin;
    printf("{\"asked\":%.6g,\"req\":%d,\"dur\":%.6g,\"rate\":%.6g,\"flight\":%.6g,\"om\":%.6g", level->rate, n, window,
           n / window, stay / window, tokens / n);
    for (int i = 0; i < n; i++) values[i] = q[i].first - q[i].start;
    printf(",");
    print_statistics("ttft", values, n);
    for (int i = 0; i < n; i++) values[i] = (q[i].last - q[i].first) / (q[i].output - 1);
    printf(",");
    print_statistics("tpot", values, n);
    for (int i = 0; i < n; i++) values[i] = q[i].last - q[i].start;
    printf(",");
    print_statistics("e2e", values, n);
    for (int i = 0; i < gap_count; i++) values[i] = gaps[i];
    printf(",");
    print_statistics("itl", values, gap_count);
    if (level->records) {
        printf(",\"records\":[");
        for (int i = 0; i < n; i++)
            printf("%s[%.7g,%.5g,%.5g]", i ? "," : "", q[i].start, q[i].first - q[i].start, q[i].last - q[i].start);
        printf("]");
    }
    printf("}\n");
    free(values);
}

/* What runs, what waits (between head and tail), and the tokens in the cache. */
typedef struct { int *running, *chunk, *queue, count; size_t head, tail; double cached; } Engine;

static void evict(Engine *e, Request *q) {
    Request *x = q + e->running[--e->count];
    e->cached -= x->cached;
    x->cached = 0;
    e->queue[--e->head] = e->running[e->count];
}

static int scheduled(Deployment *d, Engine *e, Request *q, double now) {
    int decoding = 0;
    for (int k = 0; k < e->count; k++) decoding += q[e->running[k]].cached >= q[e->running[k]].input + q[e->running[k]].done;
    while (e->cached + decoding > d->kv_tokens && e->count > 1) {
        Request *x = q + e->running[e->count - 1];
        decoding -= x->cached >= x->input + x->done;
        evict(e, q);
    }
    int budget = d->budget - decoding, tokens = decoding;
    e->cached += decoding;
    for (int k = 0; k < e->count; k++) {  /* go on with prefill */
        Request *x = q + e->running[k];
        int need = x->input + x->done - x->cached;
        e->chunk[k] = 0;
        if (need <= 0 || budget <= 0) continue;
        int part = need < budget ? need : budget, room = (int)(d->kv_tokens - e->cached);
        if (part > room) part = room > 0 ? room : 0;
        e->chunk[k] = part; budget -= part; tokens += part; e->cached += part;
    }
    while (e->head < e->tail && e->count < d->max_num_seqs && budget > 0) {  /* admit */
        Request *x = q + e->queue[e->head];
        int need = x->input + x->done;
        if (x->start > now || (e->cached + need > d->kv_tokens * 0.99 && e->count > 0)) break;
        int part = need < budget ? need : budget;
        e->running[e->count] = e->queue[e->head++];
        e->chunk[e->count++] = part; budget -= part; tokens += part; e->cached += part;
    }
    return tokens;
}

static double step_s(const Deployment *d, const Engine *e, int tokens, double speed, Random *r) {
    double memory = d->weights_s + d->kv_s * e->cached, arithmetic = d->token_s * tokens;
    double step = d->launch_s + d->slot_s * e->count;
    step += memory > arithmetic ? memory + .15 * arithmetic : arithmetic + .15 * memory;
    step *= speed * exp(d->jitter * normal(r));
    return uniform(r) < d->slow_share ? step * d->slow_factor * (0.5 + uniform(r)) : step;
}

static void run_level(Deployment d, const Level *level) {
    Random r = {level->seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull};
    for (int i = 0; i < 10; i++) uniform(&r);
    int n = level->requests, slots = d.max_num_seqs < n ? d.max_num_seqs : n, finished = 0;
    double speed = exp(d.run_sd * normal(&r)), now = 0, clock = 0;
    Request *q = calloc(n, sizeof *q);
    size_t room = (size_t)n * 40 + 16, kept = 0, seen = 0;
    Engine e = {malloc(sizeof(int) * (slots + 1)), malloc(sizeof(int) * (slots + 1)), malloc(sizeof(int) * room), 0,
                (size_t)n * 20, (size_t)n * 20, 0};
    float *gaps = malloc(sizeof *gaps * MOST_GAPS);
    for (int i = 0; i < n; i++) {
        if (level->rate > 0) clock -= log(uniform(&r) + 1e-18) / level->rate;
        q[i].start = clock;
        q[i].input = length(&r, d.input_tokens, &d);
        q[i].output = length(&r, d.output_tokens, &d);
        e.queue[e.tail++] = i;
    }
    d.max_num_seqs = slots;
    while (finished < n) {
        if (!e.count && q[e.queue[e.head]].start > now) now = q[e.queue[e.head]].start;
        int tokens = scheduled(&d, &e, q, now), left = 0;
        if (tokens == 0 && e.count > 1) { evict(&e, q); continue; }  /* the cache is full of half-computed requests */
        if (tokens == 0) { d.kv_tokens *= 1.5; continue; }           /* one request alone does not fit */
        now += step_s(&d, &e, tokens, speed, &r);
        for (int k = 0; k < e.count; k++) {
            Request *x = q + e.running[k];
            x->cached += x->cached >= x->input + x->done ? 1 : e.chunk[k];
            if (x->cached >= x->input + x->done) {
                double at = now + d.overhead_s * (1 + .5 * uniform(&r));
                if (x->done == 0) x->first = at;
                else if (e.running[k] >= level->warm) {
                    float gap = (float)(at - x->last);
                    seen++;
                    if (kept < MOST_GAPS) gaps[kept++] = gap;
                    else if (uniform(&r) * seen < MOST_GAPS) gaps[(size_t)(uniform(&r) * MOST_GAPS)] = gap;
                }
                x->last = at;
                if (++x->done >= x->output) { finished++; e.cached -= x->cached; continue; }
            }
            e.running[left++] = e.running[k];
        }
        e.count = left;
    }
    print_level(level, q, gaps, (int)kept);
    free(q); free(e.running); free(e.chunk); free(e.queue); free(gaps);
}

int main(void) {
    Deployment d;
    int read = scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %d %lf %d %lf %lf %lf %lf %d", &d.launch_s, &d.weights_s,
                     &d.kv_s, &d.token_s, &d.slot_s, &d.jitter, &d.slow_share, &d.slow_factor, &d.overhead_s, &d.run_sd,
                     &d.budget, &d.max_num_seqs, &d.kv_tokens, &d.lengths, &d.input_tokens, &d.output_tokens,
                     &d.length_sigma, &d.per_slot, &d.least_requests);
    if (read != 19) return 1;
    Level level;
    while (scanf("%lf %d %d %d %lu", &level.rate, &level.requests, &level.warm, &level.records, &level.seed) == 5) {
        run_level(d, &level);
        fflush(stdout);
    }
    return 0;
}
