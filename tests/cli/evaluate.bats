# evaluate.bats - `tacos evaluate`: streams in files, with several seeds; `tacos encode`: what samples become. $TACOS is the
# program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export TACOS_DATA=$PWD/data
}

# Two labels that alternate in runs of five, and change what they mean in the middle.
stream() { # N
    echo "size,label"
    awk -v n="$1" 'BEGIN { for (k = 0; k < n; k++) { up = int(k / 5) % 2; print (k < n / 2 ? up : 1 - up) * 5 + k * 7 % 3 "," (up ? "up" : "down") } }'
}

refuses() { # CODE TEXT
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
}

# ---- evaluate ----

@test "the label is in the column in which tacos learn finds it" {
    n=0
    while IFS=@ read -r line other wanted; do
        printf '%b\n%b\n' "$line" "$other" >f.csv
        run --separate-stderr "$TACOS" learn m --new --no-answers <f.csv
        echo "$line: $stderr"
        [ "$(head -1 <<<"$stderr")" = "the label is $wanted" ]
        rm m m-stream
        run --separate-stderr "$TACOS" evaluate f.csv
        [ "$(head -1 <<<"$stderr")" = "the label is $wanted" ]
        n=$((n + 1))
    done <<'END'
5.1,3.5,1.4,0.2,0@4.9,3.0,1.4,0.2,1@the last column
5,3,1,0,Iris-setosa@4,3,1,0,Iris-other@the last column
7,0.5,0.25@3,0.5,0.5@the first column
"a, b",1,2@c,3,4@the first column
0,1,label@5,3,x@column 3, 'label'
END
    [ "$n" -eq 5 ]
}

@test "a table, several seeds: means, and each seed is what learn does" {
    stream 600 >s.csv
    run --separate-stderr "$TACOS" evaluate s.csv --seeds 3 --jobs 2 --out o
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$stderr" = "the label is column 2, 'label'" ]
    [ "${#lines[@]}" -eq 2 ]
    [[ "${lines[0]}" == *stream*samples*labels*accuracy*kappa*kappa-temporal*repeat-last*us/sample*kB* ]]
    [[ "${lines[1]}" =~ ^\ *s\ +600\ +2\ +[0-9.]+\ \+-\ [0-9.]+ ]]
    [[ "${lines[1]}" == *"80.00 +- 0.00"* ]] # repeating the last label, but for the first: 600 / 5 changes
    [ "$(wc -l <o/evaluate.csv)" -eq 4 ]
    for seed in 1 2 3; do
        "$TACOS" learn m$seed --new --quiet --seed $seed <s.csv
        digest=$("$TACOS" inspect m$seed --json | jq -r .digest)
        awk -F, -v seed=$seed -v digest="$digest" '$1 == "s" && $2 == seed && $NF == digest { found = 1 } END { exit !found }' o/evaluate.csv
        [ "$(jq -c '[.stream, .overall.samples, .drift.alarms > 0]' o/s-$seed/stream.json)" = '["s",600,true]' ]
        [ "$(tail -1 o/s-$seed/stream.csv | cut -d, -f1)" -eq 600 ]
    done
    # the mean of the table is that of the file
    mean=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "accuracy") at = k; next } { sum += $at } END { printf "%.2f", sum / 3 }' o/evaluate.csv)
    [[ "${lines[1]}" == *" $mean +- "* ]]
}

@test "several streams; zipped ones, and those of the data folder by name" {
    mkdir -p data/known data/streams
    stream 50 | gzip >data/known/known.csv.gz
    stream 60 >data/streams/other.csv
    stream 70 | gzip >mine.csv.gz
    run --separate-stderr "$TACOS" evaluate known other mine.csv.gz --seeds 1 --quiet --preset small --set context=none
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(awk 'NR > 1 { print $1, $2 }' <<<"$output" | tr '\n' ' ')" = "known 50 other 60 mine 70 " ]
    [[ "$output" != *"+-"* ]] # one seed has no deviation
    run --separate-stderr "$TACOS" evaluate absent
    refuses 1 "there is no file absent, and no table of this name in the data folder"
    run --separate-stderr "$TACOS" evaluate mine.csv.gz --set hiden=3
    refuses 1 "unknown key 'hiden'"
    run --separate-stderr "$TACOS" evaluate mine.csv.gz --reject 7
    refuses 2 "--reject 7"
    run --separate-stderr "$TACOS" evaluate
    refuses 2 "expected one STREAM or more"
    printf '1,2\n3\n4,5,6\n' >bad.csv
    run --separate-stderr "$TACOS" evaluate bad.csv --seeds 1
    refuses 1 "line 3: there are 3 fields; expected 2"
    run --separate-stderr "$TACOS" evaluate bad.csv --seeds 1 --on-error skip --quiet
    [ "$status" -eq 0 ]
}

@test "the true streams, if they are here: better than repeating the last label" {
    [ -e "${TRUE_DATA:-/nowhere}/streams/outdoor.csv.gz" ] || skip "no data: set TACOS_DATA"
    TACOS_DATA=$TRUE_DATA run --separate-stderr "$TACOS" evaluate outdoor --seeds 1 --out o
    [ "$status" -eq 0 ]
    jq -e '.overall.samples == 4000 and .overall.accuracy > .overall.repeat_last and .overall.kappa_temporal > 0' o/outdoor-1/stream.json
}

# ---- encode ----

@test "numbers have receptive fields, words an input each, and what is missing is 0" {
    printf 'size,colour,label\n0,red,a\n10,blue,b\n5,"x,y",a\n,red,b\n,?,b\n' >w.csv
    run --separate-stderr "$TACOS" encode --set encoder_fields=3 --set encoder_categories=3 <w.csv
    [ "$status" -eq 0 ]
    [ "$stderr" = "the label is column 3, 'label'" ]
    diff - <(echo "$output") <<'END'
size 1,size 2,size 3,colour=red,colour=blue,colour 3
1,0.5,0,1,0,0
0,0.5,1,0,1,0
0.5,1,0.5,0,0,1
0,0,0,1,0,0
0,0,0,0,0,0
END
    run --separate-stderr "$TACOS" encode --quiet --json --set encoder_fields=3 --set encoder_categories=3 <w.csv
    [ "$status" -eq 0 ]
    jq -es 'length == 5 and .[1] == {line: 3, features: {size: [0, 0.5, 1], colour: [0, 1, 0]}}' <<<"$output"
}

@test "a model encodes with what it has learned, and learns nothing" {
    awk 'BEGIN { print "size,label"; for (k = 0; k <= 300; k++) print k % 101 "," k % 2 }' >n.csv
    "$TACOS" learn m --new --quiet --set encoder_fields=2 <n.csv
    cp m before
    run --separate-stderr "$TACOS" encode m < <(printf 'size\n-1000\n50\n1000\n')
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "size 1,size 2" ]
    [ "${lines[1]}" = "1,0.5" ]
    [ "${lines[3]}" = "0.5,1" ]
    cmp m before
    run --separate-stderr "$TACOS" encode m --preset small <n.csv
    refuses 2 "MODEL has its settings already"
    run --separate-stderr "$TACOS" encode m < <(printf 'size\nred\n')
    refuses 1 "line 2: "
    run --separate-stderr "$TACOS" encode none <n.csv
    refuses 1 "cannot read none"
}

@test "a signal: a sample is a window, also after the model was saved" {
    awk 'BEGIN { for (k = 0; k < 90; k++) print (k % 8 < 4 ? "up" : "down") "," k % 8 }' >s.csv
    head -40 s.csv | "$TACOS" learn m --new --quiet --preset signal --set encoder_window=8
    tail -n +41 s.csv | "$TACOS" learn m --quiet
    "$TACOS" learn whole --new --quiet --preset signal --set encoder_window=8 <s.csv
    cmp m whole
    [[ "$("$TACOS" inspect m)" == *"encoder signal: 1 features, 8 inputs, windows of 8 steps"* ]]
    run --separate-stderr "$TACOS" encode m --quiet <<<"7"
    [ "${lines[0]}" = "input 1,input 2,input 3,input 4,input 5,input 6,input 7,input 8" ]
    [ "$(tr , '\n' <<<"${lines[1]}" | wc -l)" -eq 8 ]
    [ "$("$TACOS" encode m --quiet --json <<<"7" | jq -c '[.line, (.inputs | length), .inputs[7]]')" = "[1,8,1]" ]
}

@test "images stay what they are, on one scale" {
    awk 'BEGIN { for (k = 0; k < 40; k++) { line = k % 2; for (y = 0; y < 8; y++) for (x = 0; x < 8; x++) line = line "," 15 * int((x + k % 2 * y) / 2) % 256; print line } }' >i.csv
    run --separate-stderr "$TACOS" encode --quiet --set encoder=image <i.csv
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 41 ]
    [ "$(head -1 <<<"$output" | cut -d, -f 1,64)" = "feature 1,feature 64" ]
    [ "$(tr , '\n' <<<"${lines[2]}" | wc -l)" -eq 64 ]
    [ "$(tail -n +2 <<<"$output" | tr , '\n' | sort -g | sed -n '1p;$p' | tr '\n' ' ')" = "0 1 " ]
}
