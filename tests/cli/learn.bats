# learn.bats - `tacos learn` and `tacos predict`: samples that come line by line; `tacos export` and
# `tacos import`: weights out and in. $TACOS is the program.

bats_require_minimum_version 1.5.0
load events

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Two classes of 20 inputs: one half is bright, the other dark.
samples() { # FROM TO
    awk -v from="$1" -v to="$2" 'BEGIN {
        for (k = from; k < to; k++) {
            line = k % 2
            for (j = 0; j < 20; j++) {
                bright = (j < 10) == (k % 2 == 0)
                line = line "," (bright ? 0.6 + (k * 7 + j * 3) % 40 / 100 : 0)
            }
            print line
        }
    }'
}

as_json() { # of lines with the label first
    awk -F, '{ x = $2; for (j = 3; j <= NF; j++) x = x ", " $j; printf "{\"y\": %s, \"x\": [%s]}\n", $1, x }'
}

new() { # MODEL OPTION...
    local model=$1
    shift
    run --separate-stderr "$TACOS" learn "$model" --new --set inputs=20 --set hidden=30 --set steps=60 "$@"
}

refuses() { # CODE TEXT
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

# ---- learning ----

@test "it learns, tells how often it was right before, and predicts" {
    samples 0 600 >all.csv
    new m.tacos <all.csv
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [[ "$stderr" == *"600 samples  predicted correctly before learning: "*"%"* ]]
    [[ "$stderr" != *"of the last"* ]] # there are no 1000
    new many.tacos < <(samples 0 1001)
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"1001 samples  predicted correctly before learning: "*"%, of the last 1000 "*"%"* ]]
    samples 600 700 >test.csv
    run --separate-stderr "$TACOS" predict m.tacos <test.csv
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 100 ]
    right=$(paste -d' ' <(cut -d, -f1 test.csv) <(echo "$output") | awk '$1 == $2' | wc -l)
    [ "$right" -ge 95 ]
    [ "$stderr" = "$right.00% of 100 right" ]
}

@test "in parts, in other formats, with other save intervals: the same bytes" {
    samples 0 60 >all.csv
    new whole.tacos --quiet <all.csv
    [ -z "$stderr" ]
    new parts.tacos --quiet --save-every 7 --no-test <<<""
    [ "$status" -eq 0 ]
    samples 0 25 | "$TACOS" learn parts.tacos --quiet --save-every 7
    samples 25 60 | as_json | "$TACOS" learn parts.tacos --quiet
    cmp whole.tacos parts.tacos
    new last.tacos --quiet --label last < <(awk -F, '{ l = $1; sub(/^[^,]*,/, ""); print $0 "," l }' all.csv)
    [ "$status" -eq 0 ]
    cmp whole.tacos last.tacos
    new scaled.tacos --quiet --scale 4 < <(awk -F, '{ l = $1; for (j = 2; j <= NF; j++) l = l "," $j * 4; print l }' all.csv)
    [ "$status" -eq 0 ]
    cmp whole.tacos scaled.tacos
    new tabs.tacos --quiet < <(tr , '\t' <all.csv)
    [ "$status" -eq 0 ]
    cmp whole.tacos tabs.tacos
    new heading.tacos --quiet < <(
        printf '\xef\xbb\xbf\r\nlabel'
        printf ',"pixel %d"' {1..20}
        printf '\r\n\r\n'
        sed 's/$/\r/' all.csv
    )
    [ "$status" -eq 0 ]
    cmp whole.tacos heading.tacos
    [ "$stderr" = "line 2: column names, skipped" ]
    new mark.tacos --quiet < <(printf '\xef\xbb\xbf' | cat - all.csv)
    [ -z "$stderr" ]
    cmp whole.tacos mark.tacos
    new json-mark.tacos --quiet < <(printf '\xef\xbb\xbf' | cat - <(as_json <all.csv))
    [ "$status" -eq 0 ]
    cmp whole.tacos json-mark.tacos
    printf %s "$(cat all.csv)" >no-end.csv # the last line has no end
    new no-end.tacos --quiet <no-end.csv
    [ "$status" -eq 0 ]
    cmp whole.tacos no-end.tacos
}

@test "the same as the library: a run's learner goes on" {
    "$TACOS" run demo --quiet --set hidden=20 --set tasks=0-1 --set samples_per_task=20 --set steps=60 \
        --set test_samples_per_task=20 --out o >/dev/null
    zeros=$(printf '0,%.0s' $(seq 783))0
    for _ in 1 2 3; do echo "1,$zeros"; done | "$TACOS" learn o/model-1.tacos --quiet
    [ "$("$TACOS" inspect o/model-1.tacos --json | jq .samples_learned)" -eq 23 ]
}

# ---- ends ----

@test "a signal while it waits or works: what was learned is saved" {
    samples 0 40 >all.csv
    new whole.tacos --quiet <all.csv
    for signal in TERM HUP; do
        rm -f m.tacos pipe
        mkfifo pipe
        exec 7<>pipe
        begin "$TACOS" learn m.tacos --new --set inputs=20 --set hidden=30 --set steps=60 --tell-every 40 <pipe
        cat all.csv >&7
        await "40 samples"
        end_by $signal
        exec 7>&-
        [ "$status" -gt 128 ]
        [[ "$stderr" == *"interrupted; what was learned is kept in m.tacos"*'`tacos learn m.tacos --tell-every 40` resumes'* ]]
        cmp whole.tacos m.tacos
    done
}

@test "killed, it has what was saved last" {
    samples 0 30 >all.csv
    new thirty.tacos --quiet <all.csv
    mkfifo pipe
    exec 7<>pipe
    begin "$TACOS" learn m.tacos --new --set inputs=20 --set hidden=30 --set steps=60 --save-every 30 --tell-every 45 \
        <pipe
    samples 0 45 >&7
    await "45 samples"
    end_by KILL
    exec 7>&-
    [ "$status" -eq 137 ]
    cmp thirty.tacos m.tacos
}

# Sanitizers reserve more memory than any bound worth testing.
need_bounded_memory() {
    bash -c 'ulimit -v 60000; "$TACOS" --version' >/dev/null 2>&1 || skip "this build does not run in 60 MB"
}

@test "memory does not grow with the stream" {
    need_bounded_memory
    samples 0 200 >all.csv
    new m.tacos --quiet --no-test <all.csv
    [ "$status" -eq 0 ]
    peak() { /usr/bin/env bash -c 'ulimit -v 60000; "$@"' _ "$TACOS" learn m.tacos --quiet --no-test; }
    for _ in $(seq 20); do cat all.csv; done | peak
    [ "$("$TACOS" inspect m.tacos --json | jq .samples_learned)" -eq 4200 ]
}

# ---- bad lines ----

@test "a line that cannot be read: told with its number, and the end or not" {
    samples 0 10 >good.csv
    new good.tacos --quiet <good.csv
    [ "$status" -eq 0 ]
    while IFS=@ read -r line why; do
        { samples 0 5; printf '%b\n' "$line"; samples 5 10; } >bad.csv
        rm -f m.tacos
        new m.tacos <bad.csv
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"tacos: line 6: $why"* ]] || { echo "$line: $stderr"; false; }
        [ "$("$TACOS" inspect m.tacos --json | jq .samples_learned)" -eq 5 ] # what came before is kept
        rm m.tacos
        new m.tacos --on-error skip <bad.csv
        [ "$status" -eq 0 ]
        [[ "$stderr" == *"line 6: $why"*"; skipped"*"1 line(s) skipped"* ]]
        cmp good.tacos m.tacos
    done <<'END'
0,1,1@it has 3 numbers; expected 21, including the label
x,1@field 1 is not a number: 'x,1'
\033[2J,1@field 1 is not a number: '\u001b[2J,1'
0,0.5,zwei@field 3 is not a number: 'zwei'
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@it has more than 21 numbers
2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@the label is 2; it must be a whole number from 0 to 1
-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@the label is -1
0.5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@the label is 0.5
nan,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@the label is
0,1.5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@input 1 is 1.5; expected 0 to 1
0,1.0000001,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@input 1 is 1.0000001; expected 0 to 1
0,1.0000000000000002,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@input 1 is 1.0000000000000002; expected 0
0.99999999999,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@the label is 0.99999999999; it
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,nan@input 20 is nan
0,-1e-9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@input 1 is -1e-09
{"x": [1, 2], "y": 0}@"x" has 2 numbers; expected 20
{"y": 0}@it has no array "x"
{"x": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}@it has no label to learn from
{"x": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], "y": "a"}@"y" is not a number
{"x": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,null], "y": 1}@"x"[19] is not a number
{"x": [@column
{"x": 1, "x": 2}@column
END
}

@test "a line without end is not read into memory" {
    need_bounded_memory
    samples 0 5 >good.csv
    new good.tacos --quiet <good.csv
    [ "$status" -eq 0 ]
    { samples 0 3; head -c 30000000 /dev/zero | tr '\0' 1; echo; samples 3 5; } >bad.csv
    run --separate-stderr bash -c 'ulimit -v 60000; "$TACOS" learn m.tacos --new --set inputs=20 --set hidden=30 \
        --set steps=60 --on-error skip <bad.csv'
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"line 4: it is longer than a sample can be; skipped"* ]]
    cmp good.tacos m.tacos
}

@test "many bad lines are counted, not all told" {
    new m.tacos --on-error skip < <(for _ in $(seq 500); do echo "?"; done)
    [ "$status" -eq 0 ]
    [ "$(grep -c "^tacos: line" <<<"$stderr")" -eq 10 ]
    [[ "$stderr" == *"500 line(s) skipped"* ]]
}

@test "a first line that is neither a sample nor the names of its columns" {
    samples 0 4 >good.csv
    new good.tacos --quiet <good.csv
    [ "$status" -eq 0 ]
    while IFS=@ read -r line why; do
        { printf '%b\n' "$line"; cat good.csv; } >bad.csv
        new m.tacos <bad.csv
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"tacos: line 1: $why"* ]] || { echo "$line: $stderr"; false; }
        [ ! -e m.tacos ] # nothing was learned, so the same command can be tried again
        run --separate-stderr "$TACOS" predict good.tacos --on-error skip <bad.csv
        [ "${#lines[@]}" -eq 4 ] # and no answer shifts
        [[ "$stderr" == *"line 1: $why"*"1 line(s) skipped"* ]]
    done <<'END'
[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]@field 1 is not a number: '[0,1,2
,,,,,,,,,,,,,,,,,,,,@field 1 is not a number
cat,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@field 1 is not a number: 'cat,0
nan,inf,1e5,0x1f,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0@the label is nan
label,a,b@it names 3 columns; expected 21, including the label
# comment@field 1 is not a number
0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\0000,1@it is not text: it contains a zero byte
{"x": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], "y": 0}\0000 and more@it is not text: it contains a zero byte
END
}

@test "names are those of the first line alone" {
    names=label$(printf ',p%d' {1..20})
    new m.tacos --on-error skip < <(printf '%s\n' "$names" "$names"; samples 0 2)
    [ "$status" -eq 0 ]
    [[ "$stderr" == "line 1: column names, skipped"$'\n'"tacos: line 2: field 1 is not a number: 'label,p1"*"1 line(s) skipped"* ]]
}

@test "UTF-16 is not taken for samples" {
    for encoding in UTF-16LE UTF-16BE; do
        { printf '\xef\xbb\xbf'; samples 0 3; } | iconv -f UTF-8 -t $encoding >wide.csv
        new m.tacos --on-error skip <wide.csv
        refuses 1 "tacos: cannot read standard input: it is UTF-16 text; expected UTF-8"
    done
    samples 0 3 | iconv -f UTF-8 -t UTF-16LE >bare.csv # without its mark
    new m.tacos <bare.csv
    refuses 1 "tacos: line 1: it is not text: it contains a zero byte"
}

@test "options and files that are wrong" {
    samples 0 5 >five.csv
    run --separate-stderr "$TACOS" learn nowhere.tacos <five.csv
    refuses 1 "cannot read nowhere.tacos"
    [[ "$stderr" == *"--new creates it"* ]]
    new m.tacos --quiet <five.csv
    [ "$status" -eq 0 ]
    new m.tacos <five.csv
    refuses 2 "m.tacos exists; without --new it is resumed"
    run --separate-stderr "$TACOS" learn m.tacos --set hidden=3 <five.csv
    refuses 2 "--set requires --new"
    run --separate-stderr "$TACOS" learn n.tacos --new --set hiden=3 <five.csv
    refuses 2 "'hidden'"
    run --separate-stderr "$TACOS" learn n.tacos --new --set dataset=mnist <five.csv
    refuses 2 "'dataset' is a key of experiments, which a learner does not have"
    run --separate-stderr "$TACOS" learn n.tacos --new --set hidden <five.csv
    refuses 2 "expected KEY=VALUE"
    run --separate-stderr "$TACOS" learn no/where/n.tacos --new <five.csv
    refuses 1 "cannot write no/where/n.tacos"
    run --separate-stderr "$TACOS" learn m.tacos --on-error panic <five.csv
    refuses 2 "expected stop or skip"
    run --separate-stderr "$TACOS" learn m.tacos --label middle <five.csv
    refuses 2 "expected first, last or none"
    run --separate-stderr "$TACOS" learn m.tacos --scale 0 <five.csv
    refuses 2 "expected a number above 0"
    run --separate-stderr "$TACOS" learn <five.csv
    refuses 2 "expected one MODEL"
    run --separate-stderr "$TACOS" predict five.csv <five.csv
    refuses 1 "not a saved learner"
}

@test "a full disk: told, and the old model stays whole" {
    [ -w /dev/full ] || skip "no /dev/full"
    samples 0 5 >five.csv
    new m.tacos --quiet <five.csv
    [ "$status" -eq 0 ]
    cp m.tacos before
    run --separate-stderr bash -c 'ulimit -f 1; trap "" XFSZ; "$TACOS" learn m.tacos --quiet <five.csv'
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"cannot write m.tacos"* ]]
    cmp before m.tacos
    [ "$(echo m.tacos*)" = m.tacos ]
}

# ---- predicting ----

@test "predict: JSON, without labels, at once, and the same again" {
    new m.tacos --quiet < <(samples 0 300)
    [ "$status" -eq 0 ]
    samples 300 320 | cut -d, -f2- >bare.csv
    run --separate-stderr "$TACOS" predict m.tacos --label none --json <bare.csv
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    first=$output
    jq -es 'length == 20 and all(.[]; (.counts | length) == 2 and .output >= -1) and .[3].line == 4' <<<"$output"
    jq -es 'all(.[]; (.counts | max) as $m | .output == -1 or .counts[.output] == $m)' <<<"$output"
    run "$TACOS" predict m.tacos --label none --json <bare.csv
    [ "$output" = "$first" ]
    mkfifo in out
    "$TACOS" predict m.tacos --label none <in >out &
    exec 7>in 8<out
    head -1 bare.csv >&7
    read -r -t 20 answer <&8 # while the input is still open
    [[ "$answer" =~ ^-?[0-9]+$ ]]
    exec 7>&- 8<&-
    wait
}

# ---- weights out and in ----

@test "export and import: every model, and the same learner comes back" {
    for model in tacos snn snn+metaplasticity snn+consolidation fixed; do
        rm -f m.tacos back.tacos
        new m.tacos --quiet --set model=$model --seed 3 < <(samples 0 50)
        [ "$status" -eq 0 ]
        "$TACOS" export m.tacos w.safetensors
        "$TACOS" import w.safetensors back.tacos
        "$TACOS" export back.tacos again.safetensors
        [ "$("$TACOS" inspect m.tacos --json | jq -c .layers)" = "$("$TACOS" inspect back.tacos --json | jq -c .layers)" ]
        run "$TACOS" predict m.tacos --quiet < <(samples 50 70)
        before=$output
        run "$TACOS" predict back.tacos --quiet < <(samples 50 70)
        [ "$output" = "$before" ]
    done
}

@test "an exported file is what the format says" {
    new m.tacos --quiet < <(samples 0 20)
    [ "$status" -eq 0 ]
    "$TACOS" export m.tacos w.safetensors
    n=$(od -An -tu8 -N8 w.safetensors)
    header=$(tail -c +9 w.safetensors | head -c "$n")
    jq -e '."layer0.w" == {dtype: "F32", shape: [20, 30], data_offsets: [0, 2400]} and
        ."layer0.m_steps".dtype == "U16" and ."layer1.w_ref".shape == [30, 2] and
        .__metadata__.seed == "1" and .__metadata__.hidden == "30"' <<<"$header"
    end=$(jq '[.[] | .data_offsets? // [0, 0] | .[1]] | max' <<<"$header")
    [ "$(stat -c %s w.safetensors)" -eq $((8 + n + end)) ]
}

@test "import refuses what is not right" {
    new m.tacos --quiet < <(samples 0 20)
    [ "$status" -eq 0 ]
    "$TACOS" export m.tacos w.safetensors
    run --separate-stderr "$TACOS" import w.safetensors m.tacos
    refuses 1 "m.tacos exists"
    run --separate-stderr "$TACOS" import nowhere n.tacos
    refuses 1 "cannot import nowhere: No such file"
    header='{"\u001b[2J": 1}' # a name that a terminal would obey
    printf '\020\0\0\0\0\0\0\0%s' "$header" >escape.safetensors
    run --separate-stderr "$TACOS" import escape.safetensors n.tacos
    refuses 1 "\u001b[2J must be F32 or U16"
    size=$(stat -c %s w.safetensors)
    for cut in 0 4 8 100 $((size / 2)) $((size - 1)); do
        head -c "$cut" w.safetensors >cut.safetensors
        run --separate-stderr "$TACOS" import cut.safetensors n.tacos
        refuses 1 "cannot import cut.safetensors"
        [ ! -e n.tacos ]
    done
    sed 's/layer1\.w"/layer9.w"/' w.safetensors >other.safetensors
    run --separate-stderr "$TACOS" import other.safetensors n.tacos
    refuses 1 "expected an array layer1.w, F32, 30 by 2"
    sed 's/\[20,30\]/[30,20]/' w.safetensors >other.safetensors
    run --separate-stderr "$TACOS" import other.safetensors n.tacos
    refuses 1 "expected an array layer0.w, F32, 20 by 30"
    printf '\377\377\377\377\377\377\377\377{}' >other.safetensors
    run --separate-stderr "$TACOS" import other.safetensors n.tacos
    refuses 1 "not a safetensors file"
}

@test "columns have no weights to export, and are not imported as if they knew nothing" {
    new m.tacos --quiet --set model=columns < <(samples 0 20)
    [ "$status" -eq 0 ]
    run --separate-stderr "$TACOS" export m.tacos w.safetensors
    refuses 1 "m.tacos: a learner of this model has no weights to export or import; its file can be copied"
    [ ! -e w.safetensors ]
    new n.tacos --quiet --set model=snn+consolidation < <(samples 0 5)
    [ "$status" -eq 0 ]
    "$TACOS" export n.tacos w.safetensors
    LC_ALL=C sed 's/"model":"snn+consolidation"/"model":"columns"          /' w.safetensors >columns.safetensors
    run --separate-stderr "$TACOS" import columns.safetensors back.tacos
    refuses 1 "columns.safetensors: a learner of this model has no weights"
    [ ! -e back.tacos ]
}

# ---- files of older programs ----

# version-1/model.tacos: 80 of the samples below, learned and saved by the program before saved learners had version 2;
# later.tacos and later.safetensors: 40 more, by the same.
old_samples() { # FROM TO
    awk -v from="$1" -v to="$2" 'BEGIN { for (k = from; k < to; k++) { c = k * 7 % 3; line = c
        for (j = 0; j < 12; j++) line = line "," (j % 3 == c ? 200 + (k * 13 + j * 7) % 55 : (k * 11 + j * 29) % 60)
        print line } }'
}

@test "a learner that an older program saved goes on as it would have there" {
    cp "$BATS_TEST_DIRNAME"/version-1/*.tacos .
    run -0 "$TACOS" inspect model.tacos
    [[ "$output" == "model.tacos: tacos 12-7-3, seed 1, 80 samples learned"* ]]
    [[ "$output" == *"  w_ref_rate           0.024 "* ]] # 60 ms of 2500
    [[ "$output" == *"  m_max_output             2 "* ]]
    [[ "$output" == *"  feedback            shared "* ]]
    old_samples 80 120 | "$TACOS" learn model.tacos --quiet --scale 255
    [ "$(od -An -tu1 -j8 -N1 model.tacos)" -eq 2 ]
    "$TACOS" export model.tacos here.safetensors
    "$TACOS" export later.tacos there.safetensors
    cmp here.safetensors there.safetensors
}

@test "import names a model or key that is no longer there" {
    new m.tacos --quiet --set model=snn+metaplasticity < <(samples 0 5)
    "$TACOS" export m.tacos w.safetensors
    LC_ALL=C sed 's/"model":"snn+metaplasticity"/"model":"counting"          /' w.safetensors >counting.safetensors
    run -1 --separate-stderr "$TACOS" import counting.safetensors back.tacos
    [[ "$stderr" == *"cannot import counting.safetensors: it has model = counting, which this version no longer has; version 0.1.0 reads it" ]]
    [ ! -e back.tacos ]
    # later.safetensors has the key, at 0
    LC_ALL=C sed 's/"expansion":"0"/"expansion":"9"/' "$BATS_TEST_DIRNAME"/version-1/later.safetensors >expansion.safetensors
    run -1 --separate-stderr "$TACOS" import expansion.safetensors back.tacos
    [[ "$stderr" == *"it has expansion = 9, which this version no longer has; version 0.1.0 reads it" ]]
}

@test "import understands what an older program exported" {
    cp "$BATS_TEST_DIRNAME"/version-1/later.* .
    "$TACOS" import later.safetensors imported.tacos
    for model in imported later; do
        "$TACOS" inspect $model.tacos --json | jq '{config, layers}' >$model.json
    done
    cmp imported.json later.json
    # the feedback, too, is drawn as it was: behind the header, which is 28 bytes, the keys and a checksum, all is the same
    for model in imported later; do
        keys=$(od -An -tu4 -j24 -N4 $model.tacos)
        tail -c +$((28 + keys + 4 + 1)) $model.tacos >$model.sections
    done
    [ -s later.sections ]
    cmp imported.sections later.sections
}
