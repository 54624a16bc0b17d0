/* Continuous batching with a closed loop of clients: what the networks of the method learn from.
 *
 * One process is one deployment: its parameters and then pairs of load and seed come on standard input, one
 * JSON line a level goes out. A step decodes every running request, spends what is left of the token budget on
 * prefill (in chunks, running requests first, then waiting ones), and takes as long as the slower of memory and
 * arithmetic says. A full KV cache evicts the youngest request, which is computed again later. All clients start
 * at once, as load generators do, and that burst is part of what is measured.
 */
#include "simulation.h"

typedef struct {
    double launch_s, weights_s, kv_s, token_s, slot_s;   /* step: fixed, weights, per cached token, per token, per request */
    double jitter, slow_share, slow_factor, overhead_s;  /* of steps, of the client */
    double run_sd;                                       /* change of speed from one run to the next */
    int budget, max_num_seqs;
    double kv_tokens;
    int lengths;                                         /* 0 fixed, 1 uniform to half as much again, 2 lognormal, 3 uniform from four fifths */
    double input_tokens, output_tokens, length_sigma;
    double per_slot;                                     /* requests per slot */
    int least_requests;
    double expert_share, expert_part;  /* of the weights that a token picks from, and how much of them it picks */
    int prefill_workers;  /* on accelerators of their own; 0: prefill shares the step with decoding */
} Deployment;

typedef struct { double start, ready, first, last; int input, output, cached, done; } Request;

enum { MOST_GAPS = 1 << 15, MOST_RUNNING = 200000 };

static double bumps[8192];

/* |normal|, from a table: it is needed for every token. */
static double bump(Random *r) {
    r->state ^= r->state << 13; r->state ^= r->state >> 7; r->state ^= r->state << 17;
    return bumps[r->state >> 51];
}

static int length(Random *r, double mean, const Deployment *d) {
    double x = mean;
    if (d->lengths == 1) x = mean * (0.5 + uniform(r));
    if (d->lengths == 3) x = mean * (0.8 + 0.2 * uniform(r));
    if (d->lengths == 2) x = mean * exp(d->length_sigma * normal(r) - d->length_sigma * d->length_sigma / 2);
    int whole = (int)(x + .5);
    return whole < 2 ? 2 : whole;
}

static void print_level(const Request *requests, int n, int load, const float *gaps, int gap_count) {
    double *values = malloc(sizeof *values * (gap_count > n ? gap_count : n)), end = 0, tokens = 0, e2e = 0;
    printf("{\"n\":%d,\"req\":%d,", load, n);
    for (int i = 0; i < n; i++) values[i] = requests[i].first - requests[i].start;
    print_statistics("ttft", values, n);
    for (int i = 0; i < n; i++) values[i] = (requests[i].last - requests[i].first) / (requests[i].output - 1);
    printf(",");
    print_statistics("tpot", values, n);
    for (int i = 0; i < n; i++) {
        values[i] = requests[i].last - requests[i].start;
        e2e += values[i];
        tokens += requests[i].output;
        if (requests[i].last > end) end = requests[i].last;
    }
    printf(",");
    print_statistics("e2e", values, n);
    for (int i = 0; i < gap_count; i++) values[i] = gaps[i];
    printf(",");
    print_statistics("itl", values, gap_count);
    printf(",\"dur\":%.6g,\"om\":%.6g,\"rate\":%.6g,\"flight\":%.6g}\n", end, tokens / n, n / end, e2e / end);
    free(values);
}

/* Prefill on accelerators of its own, first come first served: the request is ready for decoding when it is done. */
static void prefill_apart(const Deployment *d, Request *x, double *free_at, double speed, Random *r) {
    int w = 0;
    if (!d->prefill_workers) { x->ready = x->start; return; }
    for (int k = 1; k < d->prefill_workers; k++) if (free_at[k] < free_at[w]) w = k;
    double part = x->input / 1024.0;
    if (part > 1) part = 1;
    double took = d->launch_s + d->weights_s * part + d->token_s * x->input;
    took *= speed * exp(d->jitter * normal(r));
    double from = x->start > free_at[w] ? x->start : free_at[w];
    x->ready = free_at[w] = from + took;
    x->cached = x->input;
    x->done = 1;
    x->first = x->last = x->ready + d->overhead_s * (1 + .3 * bump(r));
}

static void run_level(Deployment *d, int load, uint64_t seed) {
    static int chunk[MOST_RUNNING];
    Random r = {seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull};
    for (int i = 0; i < 10; i++) uniform(&r);
    double speed = exp(d->run_sd * normal(&r));
    int n = (int)(d->per_slot * load), most = 2000 > 2 * load ? 2000 : 2 * load;
    if (n < d->least_requests) n = d->least_requests;
    if (n > most) n = most;
    Request *requests = calloc(n, sizeof *requests);
    int *running = malloc(sizeof *running * (load + 1)), count = 0;
    int *queue = malloc(sizeof *queue * ((size_t)n * 40 + 16)), head = n * 20, tail = n * 20;
    float *gaps = malloc(sizeof *gaps * MOST_GAPS);
    size_t kept = 0, seen = 0;
    int sent = 0, finished = 0;
    double now = 0, cached = 0, free_at[8] = {0};
    while (sent < load && sent < n) {
        requests[sent].start = now;
        requests[sent].input = length(&r, d->input_tokens, d);
        requests[sent].output = length(&r, d->output_tokens, d);
        prefill_apart(d, requests + sent, free_at, speed, &r);
        queue[tail++] = sent++;
    }
    while (finished < n) {
        int decoding = 0;
        for (int k = 0; k < count; k++) {
            Request *x = requests + running[k];
            decoding += x->cached >= x->input + x->done;
        }
        int budget = d->budget - decoding, tokens = decoding;
        while (cached + decoding > d->kv_tokens && count > 1) {  /* evict the youngest */
            Request *x = requests + running[--count];
            if (x->cached >= x->input + x->done) { decoding--; budget++; tokens--; }
            cached -= x->cached;
            x->cached = 0;
            queue[--head] = running[count];
        }
        cached += decoding;
        for (int k = 0; k < count; k++) {  /* go on with prefill */
            Request *x = requests + running[k];
            int need = x->input + x->done - x->cached;
            chunk[k] = 0;
            if (need <= 0 || budget <= 0) continue;
            int part = need < budget ? need : budget;
            if (cached + part > d->kv_tokens) part = (int)(d->kv_tokens - cached) > 0 ? (int)(d->kv_tokens - cached) : 0;
            chunk[k] = part; budget -= part; tokens += part; cached += part;
        }
        while (head < tail && count < d->max_num_seqs && budget > 0) {  /* admit */
            Request *x = requests + queue[head];
            int need = x->input + x->done - x->cached;
            if (x->ready > now || (cached + x->cached + need > d->kv_tokens * 0.99 && count > 0)) break;
            int part = need < budget ? need : budget;
            running[count] = queue[head++];
            chunk[count++] = part; budget -= part; tokens += part; cached += part + x->cached;
        }
        if (count == 0) {
            double next = head < tail ? requests[queue[head]].ready : now;
            now = next > now + 1e-3 ? next : now + 1e-3;
            continue;
        }
        if (tokens == 0 && count > 1) {  /* the cache is full of half-computed requests */
            Request *x = requests + running[--count];
            cached -= x->cached;
            x->cached = 0;
            queue[--head] = running[count];
            continue;
        }
        if (tokens == 0) { cached -= 1; d->kv_tokens *= 1.5; continue; }  /* one request alone does not fit */
        double touched = 1 - d->expert_share * pow(1 - d->expert_part, tokens);
        double memory = d->weights_s * touched + d->kv_s * cached, arithmetic = d->token_s * tokens;
        double step = d->launch_s + (memory > arithmetic ? memory + .15 * arithmetic : arithmetic + .15 * memory) + d->slot_s * count;
        step *= speed * exp(d->jitter * normal(&r));
        if (uniform(&r) < d->slow_share) step *= d->slow_factor * (0.5 + uniform(&r));
        now += step;
        int left = 0;
        for (int k = 0; k < count; k++) {
            Request *x = requests + running[k];
            x->cached += x->cached >= x->input + x->done ? 1 : chunk[k];
            if (x->cached >= x->input + x->done) {
                double seen_at = now + d->overhead_s * (1 + .3 * bump(&r));
                if (x->done == 0) x->first = seen_at;
                else {
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
                    if (sent < n) {
                        Request *y = requests + sent;
                        y->start = now + d->overhead_s;
                        y->input = length(&r, d->input_tokens, d);
                        y->output = length(&r, d->output_tokens, d);
                        prefill_apart(d, y, free_at, speed, &r);
                        queue[tail++] = sent++;
                    }
                    continue;
                }
            }
            running[left++] = running[k];
        }
        count = left;
    }
    print_level(requests, n, load, gaps, (int)kept);
    free(requests); free(running); free(queue); free(gaps);
}

int main(void) {
    Random t = {88172645463325252ull};
    for (int i = 0; i < 8192; i++) bumps[i] = fabs(normal(&t));
    Deployment d = {.expert_part = .5};
    char line[1024];
    if (!fgets(line, sizeof line, stdin)) return 1;
    /* The last three are for what not every deployment has, and may be left out. */
    int read = sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %d %lf %d %lf %lf %lf %lf %d %lf %lf %d", &d.launch_s,
                      &d.weights_s, &d.kv_s, &d.token_s, &d.slot_s, &d.jitter, &d.slow_share, &d.slow_factor, &d.overhead_s,
                      &d.run_sd, &d.budget, &d.max_num_seqs, &d.kv_tokens, &d.lengths, &d.input_tokens, &d.output_tokens,
                      &d.length_sigma, &d.per_slot, &d.least_requests, &d.expert_share, &d.expert_part, &d.prefill_workers);
    if (read != 19 && read != 22) return 1;
    int load;
    unsigned long seed;
    while (scanf("%d %lu", &load, &seed) == 2) { run_level(&d, load, seed); fflush(stdout); }
    return 0;
}
