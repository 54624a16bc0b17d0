/* Continuous batching under any traffic: what an answer for other lengths, hit rates and arrivals is checked against.
 *
 * The first line of standard input is the server; every further line is one level of one traffic, and one JSON line
 * goes out for it. A step decodes every running request, spends what is left of the token budget on prefill in chunks,
 * and takes as long as the slower of memory and arithmetic says. A prompt found in the prefix cache costs no prefill
 * but holds its memory. A full KV cache evicts the youngest request, which is computed again.
 * Closed loop: so many clients, all starting at once, as load generators do. Open loop: gaps of a gamma distribution
 * with a given squared coefficient of variation (1: Poisson); the first fifth of the requests is warm-up.
 */
#include "../accuracy/simulation.h"

typedef struct {
    double launch_s, weights_s, kv_s, token_s, slot_s, jitter, slow_share, slow_factor, overhead_s, run_sd, kv_tokens;
    int budget, max_num_seqs;
} Server;

typedef struct {
    int load, requests, records;       /* clients in closed loop, 0 in open loop; requests in all; print each? */
    double rate, dispersion;           /* requests per second, squared coefficient of variation of the gaps */
    double input, output, sigma, hit;  /* mean tokens, spread of ln tokens, share of the prompt that is cached */
} Traffic;

typedef struct { double start, first, last; int input, fresh, output, cached, done; } Request;

enum { MOST_GAPS = 1 << 15 };

/* Marsaglia and Tsang 2000, with a boost for shapes below 1. */
static double gamma_of(Random *r, double shape) {
    if (shape < 1) return gamma_of(r, shape + 1) * pow(uniform(r) + 1e-18, 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(r), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(uniform(r) + 1e-18) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}

static int length(Random *r, double mean, double sigma, int least) {
    int whole = (int)(mean * exp(sigma * normal(r) - sigma * sigma / 2) + .5);
    return whole < least ? least : whole;
}

static void print_level(const Traffic *t, const Request *q, int n, const float *gaps, int gap_count) {
    double *values = malloc(sizeof *values * (gap_count > n ? gap_count : n));
    double begin = q[0].start, end = 0, in = 0, out = 0, e2e = 0;
    for (int i = 0; i < n; i++) {
        if (q[i].last > end) end = q[i].last;
        in += q[i].input; out += q[i].output; e2e += q[i].last - q[i].start;
    }
    /* In open loop the rate is that of the arrivals, so that the drain at the end does not count. */
    double window = t->load ? end - begin : q[n - 1].start - begin;
    printf("{\"n\":%d,\"req\":%d,\"dur\":%.6g,\"im\":%.6g,\"om\":%.6g,\"rate\":%.6g,\"flight\":%.6g", t->load, n, window,
           in / n, out / n, n / window, e2e / window);
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
    if (t->records) {
        printf(",\"records\":[");
        for (int i = 0; i < n; i++)
            printf("%s[%d,%d,%.5g,%.5g]", i ? "," : "", q[i].input, q[i].output, q[i].first - q[i].start, q[i].last - q[i].start);
        printf("]");
    }
    printf("}\n");
    free(values);
}

static void draw(Random *r, const Traffic *t, Request *x, double start) {
    x->start = start;
    x->input = length(r, t->input, t->sigma, 2);
    x->output = length(r, t->output, t->sigma, 2);
    x->fresh = x->input - (int)(t->hit * x->input);
}

static void run_level(Server s, const Traffic *t, uint64_t seed) {
    Random r = {seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull};
    for (int i = 0; i < 10; i++) uniform(&r);
    double speed = exp(s.run_sd * normal(&r)), now = 0, cached = 0, clock = 0;
    int n = t->requests, slots = s.max_num_seqs < n ? s.max_num_seqs : n;
    Request *q = calloc(n, sizeof *q);
    int *running = malloc(sizeof *running * (slots + 1)), *chunk = malloc(sizeof *chunk * (slots + 1)), count = 0;
    size_t room = (size_t)n * 40 + 16;
    int *queue = malloc(sizeof *queue * room), head = n * 20, tail = n * 20;
    float *gaps = malloc(sizeof *gaps * MOST_GAPS);
    size_t kept = 0, seen = 0;
    int sent = 0, finished = 0, warm = t->load ? 0 : n / 5;
    while (sent < n && (t->load ? sent < t->load : 1)) {
        if (!t->load) clock += gamma_of(&r, 1 / t->dispersion) * t->dispersion / t->rate;
        draw(&r, t, q + sent, clock);
        queue[tail++] = sent++;
    }
    while (finished < n) {
        int decoding = 0;
        for (int k = 0; k < count; k++) decoding += q[running[k]].cached >= q[running[k]].input + q[running[k]].done;
        int budget = s.budget - decoding, tokens = decoding;
        while (cached + decoding > s.kv_tokens && count > 1 && head > 0) {  /* evict the youngest */
            Request *x = q + running[--count];
            if (x->cached >= x->input + x->done) { decoding--; budget++; tokens--; }
            cached -= x->cached;
            x->cached = 0;
            queue[--head] = running[count];
        }
        cached += decoding;
        for (int k = 0; k < count; k++) {  /* go on with prefill */
            Request *x = q + running[k];
            int need = x->input + x->done - x->cached;
            chunk[k] = 0;
            if (need <= 0 || budget <= 0) continue;
            int part = need < budget ? need : budget;
            if (cached + part > s.kv_tokens) part = (int)(s.kv_tokens - cached) > 0 ? (int)(s.kv_tokens - cached) : 0;
            chunk[k] = part; budget -= part; tokens += part; cached += part;
        }
        while (head < tail && count < slots && budget > 0) {  /* admit */
            Request *x = q + queue[head];
            int known = x->input - x->fresh, need = x->fresh + x->done;
            if (x->start > now || (cached + known + need > s.kv_tokens * 0.99 && count > 0)) break;
            int part = need < budget ? need : budget;
            x->cached = known; cached += known;
            running[count] = queue[head++];
            chunk[count++] = part; budget -= part; tokens += part; cached += part;
        }
        if (count == 0) { now = head < tail && q[queue[head]].start > now ? q[queue[head]].start : now + 1e-3; continue; }
        if (tokens == 0 && count > 1 && head > 0) {  /* the cache is full of half-computed requests */
            Request *x = q + running[--count];
            cached -= x->cached;
            x->cached = 0;
            queue[--head] = running[count];
            continue;
        }
        if (tokens == 0) { s.kv_tokens *= 1.5; continue; }  /* one request alone does not fit */
        double memory = s.weights_s + s.kv_s * cached, arithmetic = s.token_s * tokens;
        double step = s.launch_s + (memory > arithmetic ? memory + .15 * arithmetic : arithmetic + .15 * memory) + s.slot_s * count;
        step *= speed * exp(s.jitter * normal(&r));
        if (uniform(&r) < s.slow_share) step *= s.slow_factor * (0.5 + uniform(&r));
        now += step;
        int left = 0;
        for (int k = 0; k < count; k++) {
            Request *x = q + running[k];
            x->cached += x->cached >= x->input + x->done ? 1 : chunk[k];
            if (x->cached >= x->input + x->done) {
                double seen_at = now + s.overhead_s * (1 + .3 * fabs(normal(&r)));
                if (x->done == 0) x->first = seen_at;
                else if (running[k] >= warm) {
                    float gap = (float)(seen_at - x->last);
                    seen++;
                    if (kept < MOST_GAPS) gaps[kept++] = gap;
                    else if (uniform(&r) * seen < MOST_GAPS) gaps[(size_t)(uniform(&r) * MOST_GAPS)] = gap;
                }
                x->last = seen_at;
                x->done++;
                if (x->done >= x->output) {
                    finished++;
                    cached -= x->cached;
                    if (sent < n) { draw(&r, t, q + sent, now + s.overhead_s); queue[tail++] = sent++; }
                    continue;
                }
            }
            running[left++] = running[k];
        }
        count = left;
    }
    print_level(t, q + warm, n - warm, gaps, (int)kept);
    free(q); free(running); free(chunk); free(queue); free(gaps);
}

int main(void) {
    Server s;
    Traffic t;
    unsigned long seed;
    if (scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %d", &s.launch_s, &s.weights_s, &s.kv_s, &s.token_s, &s.slot_s,
              &s.jitter, &s.slow_share, &s.slow_factor, &s.overhead_s, &s.run_sd, &s.kv_tokens, &s.budget, &s.max_num_seqs) != 13)
        return 1;
    while (scanf("%d %d %d %lf %lf %lf %lf %lf %lf %lu", &t.load, &t.requests, &t.records, &t.rate, &t.dispersion, &t.input,
                 &t.output, &t.sigma, &t.hit, &seed) == 10) {
        run_level(s, &t, seed);
        fflush(stdout);
    }
    return 0;
}
