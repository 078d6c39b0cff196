/* bench_table.c - the cases of `tacos bench` as a table, with ratios to saved ones. */
#include "output/bench.h"

#include "terminal/print.h"
#include "terminal/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- head ---- */

/* Columns of the whole table, and of what --against adds. */
enum { WIDTH = 133, WIDTH_RATIOS = 18 };

static int is_narrow(const BenchTable *table) {
    return terminal_is(stdout) &&
           terminal_width(stdout) < WIDTH + (table->saved ? WIDTH_RATIOS : 0);
}

static void print_machine(const tacos_bench_case *first) {
    const tacos_bench_peaks *p = &first->peaks;
    print("tacos %s, kernel %s, %ld cores\n", tacos_version(), first->kernel,
          sysconf(_SC_NPROCESSORS_ONLN));
    printf("peaks of one thread: %.1f G multiply-adds/s; read and update %.0f and %.0f GB/s (L1, "
           "16 KiB), %.0f and %.0f GB/s (L2, 256 KiB)\n\n",
           p->fma_per_s / 1e9, p->l1_read_bytes_per_s / 1e9, p->l1_update_bytes_per_s / 1e9,
           p->l2_read_bytes_per_s / 1e9, p->l2_update_bytes_per_s / 1e9);
}

static void print_heads(const BenchTable *table) {
    print("%-24s %7s | %9s %9s %8s | %8s %8s %7s | %6s %7s %7s %8s %-7s%s\n", "", "", "train",
          "fastest", "spread", "test", "fastest", "spread", "event", "events", "moved", "roofline",
          "", table->saved ? " | now / then" : "");
    print("%-24s %7s | %9s %9s %8s | %8s %8s %7s | %6s %7s %7s %8s %-7s%s", "case", "threads", "us",
          "us", "us", "us", "us", "us", "ns", "M", "MB", "%", "bound",
          table->saved ? " |   train    test" : "");
}

static void print_heads_narrow(const BenchTable *table) {
    print("%-24s %7s | %9s | %8s | %s\n", "", "", "train", "test",
          table->saved ? "now / then" : "roofline");
    print("%-24s %7s | %9s | %8s | %s", "case", "threads", "us", "us",
          table->saved ? "  train    test" : "       % bound");
}

static void print_head(const BenchTable *table, const tacos_bench_case *first) {
    print_machine(first);
    style_begin(stdout, STYLE_HEADING);
    (table->narrow ? print_heads_narrow : print_heads)(table);
    style_end(stdout, STYLE_HEADING);
    putchar('\n');
}

/* ---- lines ---- */

static void print_training(const tacos_bench_case *r) {
    if (bench_trained(r))
        printf(" | %9.1f %9.1f %8.1f", r->train.us_per_sample, r->train.fastest_us,
               r->train.spread_us);
    else
        print(" | %9s %9s %8s", "-", "-", "-");
}

static void print_roofline(const tacos_bench_case *r) {
    if (bench_trained(r))
        print(" | %6.3f %7.3f %7.1f %8.1f %-7s", r->ns_per_event, r->events / 1e6, r->bytes / 1e6,
              100 * r->roofline_fraction, r->memory_bound ? "memory" : "compute");
    else
        print(" | %6s %7s %7s %8s %-7s", "-", "-", "-", "-", "-");
}

static void print_figures(const tacos_bench_case *r) {
    print_training(r);
    printf(" | %8.1f %8.1f %7.1f", r->test.us_per_sample, r->test.fastest_us, r->test.spread_us);
    print_roofline(r);
}

/* The medians, and how near they are to the roofline unless ratios take its place. */
static void print_figures_narrow(const BenchTable *table, const tacos_bench_case *r) {
    if (bench_trained(r))
        printf(" | %9.1f", r->train.us_per_sample);
    else
        print(" | %9s", "-");
    printf(" | %8.1f", r->test.us_per_sample);
    if (table->saved)
        return;
    if (bench_trained(r))
        print(" | %8.1f %s", 100 * r->roofline_fraction, r->memory_bound ? "memory" : "compute");
    else
        print(" | %8s %s", "-", "-");
}

static double log_ratio(double now, double then) {
    return log(now / then);
}

static void add_peaks(BenchRatios *ratios, const tacos_bench_peaks *now,
                      const tacos_bench_peaks *then) {
#define PEAK(member, text) ratios->peaks.member += log_ratio(now->member, then->member);
    TACOS_BENCH_PEAK_MAP(PEAK)
#undef PEAK
}

static void add_training(BenchRatios *ratios, const tacos_bench_case *r,
                         const BenchSavedCase *then) {
    ratios->n_train++;
    ratios->train += log_ratio(r->train.us_per_sample, then->train_us);
    ratios->train_fastest += log_ratio(r->train.fastest_us, then->train_fastest_us);
    add_peaks(ratios, &r->peaks, &then->peaks);
}

static void add_test(BenchRatios *ratios, const tacos_bench_case *r, const BenchSavedCase *then) {
    ratios->n_test++;
    ratios->test += log_ratio(r->test.us_per_sample, then->test_us);
    ratios->test_fastest += log_ratio(r->test.fastest_us, then->test_fastest_us);
}

static void print_ratios(BenchTable *table, const tacos_bench_case *r) {
    const BenchSavedCase *then = bench_saved_find(table->saved, r->name, r->n_threads);
    BenchRatios *ratios = &table->ratios;
    char input[32];
    if (!then) {
        print(" | %7s %7s", "-", "-");
        return;
    }
    if (bench_trained(r) && then->n_threads == then->n_train_threads) {
        printf(" | %7.3f", r->train.us_per_sample / then->train_us);
        add_training(ratios, r, then);
    } else {
        print(" | %7s", "-");
    }
    printf(" %7.3f", r->test.us_per_sample / then->test_us);
    add_test(ratios, r, then);
    bench_input(r, input, sizeof input);
    if (strcmp(then->kernel, r->kernel) != 0 || strcmp(then->input, input) != 0) {
        putchar('*');
        ratios->others = 1;
    }
}

static void note_input(BenchTable *table, const tacos_bench_case *result) {
    char input[32];
    size_t used = strlen(table->inputs);
    bench_input(result, input, sizeof input);
    if (strstr(table->inputs, input) || used + strlen(input) + 3 > sizeof table->inputs)
        return;
    (void)snprintf(table->inputs + used, sizeof table->inputs - used, "%s%s", used ? ", " : "",
                   input);
}

void bench_table_line(BenchTable *table, const tacos_bench_case *r) {
    if (table->n_lines++ == 0) {
        table->narrow = is_narrow(table);
        print_head(table, r);
    }
    note_input(table, r);
    print("%-24s %7zu", r->name, r->n_threads);
    if (table->narrow)
        print_figures_narrow(table, r);
    else
        print_figures(r);
    if (table->saved)
        print_ratios(table, r);
    putchar('\n');
    (void)fflush(stdout);
}

/* ---- end ---- */

static double mean_ratio(double sum, size_t n) {
    return exp(sum / (double)n);
}

static void print_mean_peaks(const BenchRatios *ratios) {
    static const char *const names[] = {
#define PEAK(member, text) #member,
        TACOS_BENCH_PEAK_MAP(PEAK)
#undef PEAK
    };
    const double sums[] = {
#define PEAK(member, text) ratios->peaks.member,
        TACOS_BENCH_PEAK_MAP(PEAK)
#undef PEAK
    };
    fputs("the machine itself, now / then (above 1 is faster now):", stdout);
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        const char *unit = strstr(names[k], "_bytes_per_s");
        unit = unit ? unit : strstr(names[k], "_per_s");
        print("%s %.*s %.3f", k > 0 ? "," : "", (int)(unit - names[k]), names[k],
              mean_ratio(sums[k], ratios->n_train));
    }
    putchar('\n');
}

static void print_mean(const char *what, const BenchRatios *ratios, double train, double test) {
    print("%s, now / then (below 1 is faster now):", what);
    if (ratios->n_train > 0)
        printf(" train %.3f,", mean_ratio(train, ratios->n_train));
    printf(" test %.3f\n", mean_ratio(test, ratios->n_test));
}

void bench_table_end(const BenchTable *table) {
    const BenchRatios *ratios = &table->ratios;
    if (table->n_lines == 0)
        return;
    print("\ninput: %s\n", table->inputs);
    if (table->narrow)
        puts("The terminal is too narrow for all columns; --json prints all figures.");
    if (!table->saved)
        return;
    if (ratios->others)
        puts("* measured with another kernel or other input then");
    if (ratios->n_train > 0)
        print_mean_peaks(ratios);
    if (ratios->n_test == 0)
        return;
    print_mean("geometric mean of the fastest batches", ratios, ratios->train_fastest,
               ratios->test_fastest);
    print_mean("geometric mean", ratios, ratios->train, ratios->test);
}
