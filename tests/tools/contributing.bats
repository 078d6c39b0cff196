# contributing.bats - the lists of CONTRIBUTING.md are true: in a copy of the sources one of each is added, touching the
# files that its list names and no others; then the program is built and each is used.

bats_require_minimum_version 1.5.0

setup_file() {
    export SOURCE=$BATS_TEST_DIRNAME/../.. TREE=$BATS_FILE_TMPDIR/tree TOUCHED=$BATS_FILE_TMPDIR/touched
    export TACOS=$TREE/build/tacos TACOS_DATA=$BATS_FILE_TMPDIR/data
    mkdir -p "$TREE" "$TOUCHED" "$TACOS_DATA"
    for part in CMakeLists.txt cmake src cli include experiments; do
        cp -r "$SOURCE/$part" "$TREE"
    done
    for what in key command figure format variant rival; do
        "add_$what"
    done
    build >"$BATS_FILE_TMPDIR/log" 2>&1 || {
        cat "$BATS_FILE_TMPDIR/log" >&3
        return 1
    }
}

# The program alone, as quickly as it can be compiled.
build() {
    cmake -S "$TREE" -B "$TREE/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 -DTACOS_WERROR=ON -DTACOS_TESTS=OFF \
        -DTACOS_MPI=OFF || return 1
    cmake --build "$TREE/build" --target tacos_cli -j 2
}

# Of the addition that is being made.
touch_file() { # FILE
    echo "$1" >>"$TOUCHED/$ADDED"
}

create() { # FILE, from stdin
    touch_file "${1/probe/NAME}"
    cat >"$TREE/$1"
}

# A line before the first that matches.
insert() { # FILE REGULAR_EXPRESSION LINE
    touch_file "$1"
    REGEX=$2 LINE=$3 awk '!done && $0 ~ ENVIRON["REGEX"] { print ENVIRON["LINE"]; done = 1 } { print } END { exit !done }' \
        "$TREE/$1" >"$TREE/changed" || {
        echo "$1 has no line like '$2'" >&3
        return 1
    }
    mv "$TREE/changed" "$TREE/$1"
}

add_key() {
    ADDED="A key"
    insert src/net/params.h '^} Params;' '    double probe_key;'
    insert src/net/params.c '{"learning_rate", KEY_REAL' \
        '    {"probe_key", KEY_REAL, AT(probe_key), 0, 10, "mV", "", "3", "a key for a test", NULL},'
}

add_command() {
    ADDED="A command"
    create cli/commands/probe.c <<'END'
#include "cli.h"

#include "terminal/print.h"

static int cmd_probe(int argc, char **argv) {
    int code = EXIT_OK;
    if (options_read(&command_probe, NULL, NULL, argc, argv, &code))
        print("%s\n", "a command for a test");
    return code;
}

const Command command_probe = {
    .name = "probe",
    .group = GROUP_SELF,
    .run = cmd_probe,
    .about = "a command for a test",
    .synopsis = "",
    .text = "It prints a line.",
};
END
    insert cli/cli.h '^extern const Command command_' 'extern const Command command_probe;'
    insert cli/main.c '^    &command_version,' '    &command_probe,'
}

add_figure() {
    ADDED="A figure"
    create src/report/figures/fig_probe.c <<'END'
#include "report/figures/figures.h"

tacos_status draw_probe(Figure *figure, const Sizes *sizes, const RunFolder *runs, tacos_error *err) {
    figure_begin(figure, sizes, "probe", "A figure for a test");
    text_format(&figure->csv, "tasks\n%zu\n", runs->n_tasks);
    return figure_check(figure, err);
}
END
    insert src/report/figures/figures.h '^DrawRun draw_' 'DrawRun draw_probe;'
    insert src/report/figures/figures.c '^    {"matrix",' \
        '    {"probe", "a figure for a test", draw_probe, NULL, NULL, NULL, NULL, NULL},'
}

# Four pixels and a label for each image.
add_format() {
    ADDED="A data format"
    create src/data/formats/probe.c <<'END'
#include "base/bytes.h"
#include "data/formats/formats.h"

#include <stdlib.h>
#include <string.h>

enum { N_PIXELS = 4, N_BYTES = N_PIXELS + 1 };

tacos_status probe_read(Images *out, const char *path, tacos_error *err) {
    Bytes file;
    TRY(file_take(&file, path, 1 << 20, err));
    *out = (Images){.n = file.n / N_BYTES, .pixels = malloc(file.n), .labels = malloc(2 * file.n)};
    images_shape(out, N_PIXELS);
    for (size_t i = 0; i < out->n && out->pixels && out->labels; i++) {
        memcpy(out->pixels + i * N_PIXELS, file.at + i * N_BYTES, N_PIXELS);
        out->labels[i] = (uint16_t)(file.at[i * N_BYTES + N_PIXELS] - '0');
    }
    free(file.at);
    return TACOS_OK;
}
END
    insert src/data/formats/formats.h '^tacos_status csv_read' \
        'tacos_status probe_read(Images *out, const char *path, tacos_error *err);'
    insert src/data/catalog/load.c '^/[*] The formats in order' "$(cat <<'END'
static tacos_status read_probe(Images *out, const Half *half, tacos_error *err) {
    Place images;
    (void)locate(&images, half->folder, half->name, ".probe");
    return probe_read(out, images.path, err);
}
END
    )"
    insert src/data/catalog/load.c '^    {false, ".csv", read_csv}' '    {false, ".probe", read_probe},'
}

add_variant() {
    ADDED="A variant of the spiking network"
    insert src/net/params.h '^    X[(]"snn",' '    X("probe-variant", M_FIXED, false, "a variant for a test") \'
}

add_rival() {
    ADDED="A rival method"
    create src/rivals/probe.c <<'END'
#include "rivals/train.h"

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    train_gradient(rival, x, target, n);
    train_step(rival, NULL, NULL);
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, rival->theta);
    return i == 0;
}

const Method method_probe = {
    .carve = train_carve,
    .start = train_start,
    .learn = learn,
    .predict = train_predict,
    .kept = kept,
};
END
    insert src/rivals/rival.h '^    X[(]joint,' '    X(probe, "probe-rival", false, false, "a rival for a test") \'
}

# What a list names, against what was touched.
follows() { # TITLE
    awk -v title="### $1" '/^#/ { on = $0 == title } on && /^[0-9]+[.] `/ { split($0, part, "`"); print part[2] }' \
        "$SOURCE/CONTRIBUTING.md" | sort >"$BATS_TEST_TMPDIR/listed"
    sort -u "$TOUCHED/$1" | diff "$BATS_TEST_TMPDIR/listed" -
    [ "$(grep -c -v NAME "$BATS_TEST_TMPDIR/listed")" -le 3 ]
}

# A run of few samples, in the folder `run`.
tiny_run() { # SETTING...
    local settings=()
    for setting in "$@"; do
        settings+=(--set "$setting")
    done
    run -0 "$TACOS" run demo --quiet --out "$BATS_TEST_TMPDIR/run" --set samples_per_task=4 \
        --set test_samples_per_task=4 --set hidden=4 --set steps=10 "${settings[@]}"
}

@test "a key" {
    follows "A key"
    run -0 "$TACOS" help probe_key
    [[ "$output" == *"a key for a test"* ]]
    tiny_run probe_key=2
    grep -q '"probe_key": *2' "$BATS_TEST_TMPDIR/run/results.json"
}

@test "a command" {
    follows "A command"
    run -0 "$TACOS" probe
    [ "$output" = "a command for a test" ]
    run -0 "$TACOS" help
    [[ "$output" == *"probe"*"a command for a test"* ]]
}

@test "a figure" {
    follows "A figure"
    tiny_run
    run -0 "$TACOS" plot probe "$BATS_TEST_TMPDIR/run" -o "$BATS_TEST_TMPDIR/probe.csv"
    [ "$(cat "$BATS_TEST_TMPDIR/probe.csv")" = "$(printf 'tasks\n5')" ]
}

@test "a data format" {
    follows "A data format"
    mkdir "$TACOS_DATA/mine"
    printf 'abcd0efgh1ijkl0mnop1' | tee "$TACOS_DATA/mine/train.probe" >"$TACOS_DATA/mine/test.probe"
    run -0 "$TACOS" data show mine
    [[ "$output" == *4* ]]
    tiny_run dataset=mine tasks=0-1 samples_per_task=2 test_samples_per_task=2
}

@test "a variant of the spiking network" {
    follows "A variant of the spiking network"
    tiny_run model=probe-variant
    run -0 "$TACOS" help probe-variant
    [[ "$output" == *"a variant for a test"* ]]
}

@test "a rival method" {
    follows "A rival method"
    tiny_run model=probe-rival
    run -0 "$TACOS" help probe-rival
    [[ "$output" == *"a rival for a test"* ]]
}
