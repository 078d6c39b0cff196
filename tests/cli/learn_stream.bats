# learn_stream.bats - `tacos learn` and `tacos predict` with a classifier: tables of any kind, labels as they come, answers
# before learning, and what is kept. $TACOS is the program.

bats_require_minimum_version 1.5.0
load events
load tone

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Numbers on scales of their own, a colour, and a label that follows from them; every 7th colour is missing.
flowers() { # FROM TO
    echo "height,colour,weight,kind"
    awk -v from="$1" -v to="$2" 'BEGIN {
        split("red green blue", colours, " ")
        for (k = from; k < to; k++) {
            c = k * 7 % 3
            printf "%d,%s,%.3f,%s\n", 1000 + 300 * c + k * 37 % 100, k % 7 ? colours[c + 1] : "", c * 0.01 + k * 11 % 8 / 1000,
                c == 0 ? "rose" : c == 1 ? "sage, wild" : "lily"
        }
    }'
}

bare() { # FROM TO - the same without names
    flowers "$@" | sed 1d
}

as_json() { # of bare lines
    awk -F, '{ label = $4 ($5 ? "," $5 : ""); printf "{\"x\": [%s, %s, %s], \"y\": \"%s\"}\n", $1, $2 ? "\"" $2 "\"" : "null", $3, label }'
}

quoted() { # the label that holds a comma, in quotes
    sed 's/sage, wild/"sage, wild"/'
}

learn() { # MODEL OPTION...
    local model=$1
    shift
    run --separate-stderr "$TACOS" learn "$model" "$@"
}

refuses() { # CODE TEXT
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
}

figure() { # NAME, of the last run
    sed -n "s/^  $1 *\([^ ]*\).*/\1/p" <<<"$stderr"
}

# ---- learning ----

@test "a table of one's own, without any key: answers, and what they are worth" {
    flowers 0 300 | quoted >all.csv
    learn m.tacos --new --label kind <all.csv
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 301 ]
    [ "${lines[0]}" = "label,confidence,novelty" ]
    [[ "${lines[1]}" == "unknown,0.0000,"* ]] # nothing was learned yet
    grep -qx '"sage, wild",[01]\.[0-9]\{4\},[01]\.[0-9]\{4\}' <<<"$output"
    # what stderr says is what the answers are
    right=$(awk -F'"' 'FNR == 1 { next } FNR == NR { l[FNR] = NF > 1 ? $2 : substr($0, match($0, /[^,]*$/)); next }
        (NF > 1 ? $2 : substr($0, 1, index($0, ",") - 1)) == l[FNR] { n++ } END { print n }' all.csv - <<<"$output")
    echo "$right right, $stderr"
    [ "$right" -ge 270 ]
    [ "$(figure accuracy)" = "$(awk -v n="$right" 'BEGIN { printf "%.2f%%", n / 3 }')" ]
    [ "$(figure labels)" -eq 3 ]
    [ "$(figure 'repeating the last label')" = "0.00%" ]
    [[ "$stderr" == *"kappa-temporal"* && "$stderr" == *"drift alarms"* && "$stderr" == *"bytes"* ]]
    [[ "$stderr" != *warning* ]]
}

@test "the same samples in other formats: the same model" {
    flowers 0 200 | quoted >all.csv
    learn want --new --quiet --label last <all.csv
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    digest() { "$TACOS" inspect "$1" --json | jq -r '.digest, .samples_seen'; }
    same() { # MODEL, of samples without names
        "$TACOS" inspect "$1" --json | jq -c '[.labels, .samples_learned, (.features[] | [.low, .high, .categories])]' >has
        "$TACOS" inspect want --json | jq -c '[.labels, .samples_learned, (.features[] | [.low, .high, .categories])]' | diff - has
    }
    "$TACOS" learn piped --new --quiet --label kind < <(cat all.csv)
    cmp want piped
    sed 's/"sage, wild"/sage/; s/,/\t/g; s/sage/sage, wild/' all.csv | "$TACOS" learn tabs --new --quiet --label 4
    cmp want tabs
    { printf '\xef\xbb\xbf'; sed 's/$/\r/' all.csv; } | "$TACOS" learn mark --new --quiet --label kind
    cmp want mark
    sed 1d all.csv | "$TACOS" learn bare --new --quiet --label last
    same bare
    sed 's/\(.*\),\("sage.*\|[a-z]*\)$/\2,\1/' all.csv >first.csv
    head -1 first.csv | grep -qx kind,height,colour,weight
    "$TACOS" learn first --new --quiet --label first <first.csv
    cmp want first
    bare 0 200 | as_json | "$TACOS" learn json --new --quiet
    same json
    cmp bare json
}

@test "which column is the label: by name, by place, or found out" {
    says() { # TEXT OPTION... - of the table on stdin
        local text=$1
        shift
        rm -f m m-stream
        run --separate-stderr "$TACOS" learn m --new --no-answers "$@"
        echo "$text: $stderr"
        [ "$status" -eq 0 ]
        [[ "$stderr" == "$text"* ]]
    }
    says "the label is column 2, 'Class'" < <(printf 'a,Class,b\n1,x,2\n')
    says "the label is column 1, 'y'" < <(printf 'y,a,b\n1,5,2\n')
    says "the label is column 3, 'b'" < <(printf 'a,c,b\n1,5,2\n')
    says "the label is the first column" < <(printf '1,5,2\n0,4,3\n')
    says "the label is the first column" < <(printf 'x,5,2\ny,4,3\n')
    says "the label is the last column" < <(printf '5.1,3.5,x\n4,2,y\n')
    says "the label is the first column" < <(printf 'x,5,red\ny,4,blue\n')
    says "the label is the last column" < <(printf '0.4,1.000,0.25,0\n1,0,0.5,1\n')     # only whole numbers are labels
    says "the label is the last column" < <(printf '5.1,3.5,red,rose\n4,2,blue,iris\n')
    says "the label is the first column" < <(printf '5.0,0,0,12\n3.0,1,0,14\n')
    says "the label is the first column" < <(printf '0.4,1.5,0.25\n0.5,1,0.5\n')        # of two that are none
    says "the label is the first column" < <(printf '0.4,1.5,\n0.5,1,0.5\n')
    says "the label is column 3, 'label'" < <(printf '0,1,label\n7,8,3\n') # names that are numbers
    says "1 samples" --label c < <(printf 'a,c,b\n1,5,2\n')
    [ "$("$TACOS" inspect m --json | jq -c '[.labels[0].label, .features[].name]')" = '["5","a","b"]' ]
    says "1 samples" --label none --header no < <(printf 'a,c,b\n')
    [ "$("$TACOS" inspect m --json | jq -c '[.samples_seen, .samples_learned]')" = '[1,0]' ]
    says "the label is column 2, 'column 2'" --header yes < <(printf '5,\n6,7\n')
    learn n --new --label colour < <(printf 'a,b\n1,2\n')
    refuses 2 "--label colour: there is no such column"
    [ ! -e n ]
}

@test "samples without a label are answered, not learned" {
    learn m --new < <(printf 'label,a\nx,1\ny,9\n,2\n?,8\nx,1\n7\n')
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 7 ]
    [ "$("$TACOS" inspect m --json | jq -c '[.samples_seen, .samples_learned]')" = '[6,3]' ]
    learn j --new < <(printf '{"x": [1], "y": "x"}\n{"x": [9], "y": 2}\n{"x": [2]}\n{"x": [null], "y": null}\n{"x": [1], "y": 2.0}\n')
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 6 ]
    [ "$("$TACOS" inspect j --json | jq -c '[.samples_seen, .samples_learned, (.labels[] | [.label, .samples])]')" = '[5,3,["x",1],["2",2]]' ]
}

@test "whoever waits gets an answer to each line" {
    mkfifo in out
    "$TACOS" learn m --new --label first --quiet <<<"x,1" # a model that has something to answer
    "$TACOS" learn m --label first <in >out 2>/dev/null &
    exec 7>in 8<out
    echo "x,1" >&7
    read -r -t 20 head <&8
    read -r -t 20 answer <&8 # while the input is still open
    [ "$head" = "label,confidence,novelty" ]
    [[ "$answer" == x,* ]]
    echo "y,5" >&7
    read -r -t 20 answer <&8
    [[ "$answer" == x,* ]]
    exec 7>&- 8<&-
    wait
}

@test "unknown, where it would rather be wrong" {
    flowers 0 300 | quoted >all.csv
    learn m --new --label kind --reject 0.9 --out o <all.csv
    [ "$status" -eq 0 ]
    unknown=$(grep -c '^unknown,' <<<"$output")
    [ "$unknown" -gt 3 ]
    [ "$unknown" -lt 150 ]
    # exactly where the confidence is below
    [ "$(sed 1,2d <<<"$output" | awk -F, '/^unknown/ != ($(NF - 1) < 0.9)' | grep -cv ',0.9000,')" -eq 0 ]
    [ "$(figure unknown)" -eq $((unknown - 1)) ] # the first had no answer at all
    [ "$(jq .overall.rejected o/stream.json)" -eq $((unknown - 1)) ]
    learn m --reject 1.5 <all.csv
    refuses 2 "--reject 1.5: expected a number from 0 to 1"
}

@test "nothing on stdout if not wanted; a terminal is not flooded by a file" {
    flowers 0 20 | quoted >all.csv
    learn m --new --no-answers <all.csv
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    learn m --quiet <all.csv
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    script -qec true /dev/null >/dev/null 2>&1 || skip "no terminal can be made here"
    [[ "$(script -qec "'$TACOS' learn m <all.csv" /dev/null </dev/null)" != *"label,confidence"* ]]
    [[ "$(script -qec "'$TACOS' learn m --answers <all.csv" /dev/null </dev/null)" == *"label,confidence"* ]]
    [[ "$(script -qec "cat all.csv | '$TACOS' learn m" /dev/null </dev/null)" == *"label,confidence"* ]]
}

# ---- settings ----

@test "presets and keys: what does not fit is adjusted or refused, and told" {
    flowers 0 30 | quoted >all.csv
    cut -d, -f 1,3- all.csv >numbers.csv
    tone 300 >a.wav
    { echo file,kind; yes a.wav,x | head -30; } >sound.csv
    for preset in $("$TACOS" help presets | cut -d ' ' -f 1); do
        rm -f m
        learn m --new --preset "$preset" --no-answers --label kind <"$([ "$preset" = sound ] && echo sound.csv || echo numbers.csv)"
        echo "$preset: $stderr"
        [ "$status" -eq 0 ]
        [ "$("$TACOS" inspect m --json | jq .samples_learned)" -eq 30 ]
    done
    rm m
    learn m --new --preset smal <all.csv
    refuses 2 "unknown preset 'smal'; the nearest is 'small'"
    learn m --new --set hidden=3 --set outputs=9 --no-answers <all.csv
    refuses 0 "outputs follows from the labels"
    [[ "$stderr" == *"hidden has no effect"* ]]
    rm m
    learn m --new --set model=snn --no-answers <all.csv
    refuses 0 "model=snn: with the other settings of preset paper"
    [ "$("$TACOS" inspect m --json | jq -r .config.model)" = snn ]
    rm m
    learn m --new --preset small --set model=snn --no-answers <all.csv # more labels than a learner has outputs by default
    [ "$status" -eq 0 ]
    [ "$("$TACOS" inspect m --json | jq -c '[.config.outputs, (.labels | length)]')" = '[10,3]' ]
    learn n --new --set labels_max=2 <all.csv
    refuses 1 "line 4: label 'lily' is one too many: labels_max is 2"
    [ "$("$TACOS" inspect n --json | jq .samples_learned)" -eq 2 ] # what came before is kept
    learn m --set model=tacos <all.csv
    refuses 2 "--set requires --new"
    learn m --preset small <all.csv
    refuses 2 "--preset requires --new"
    learn p --new --no-test <all.csv
    refuses 2 "--no-test requires --set inputs=N"
    learn p --new --set inputs=3 --reject 0.5 <all.csv
    refuses 2 "--reject requires a classifier"
}

@test "answers that are worth nothing: told, with the likely cause" {
    learn m --new --no-answers < <(awk 'BEGIN { print "label,a"; for (k = 0; k < 200; k++) print k ",", k % 7 }')
    refuses 0 "warning: 200 labels in 200 samples: is another column the label?"
    learn n --new --no-answers < <(awk 'BEGIN { print "label,a"; for (k = 0; k < 300; k++) print (k % 10 == 3 ? "rare," : "often,") 5 }')
    [[ "$stderr" == *"warning: "*"no better than always the most frequent label"* ]]
    learn o --new --no-answers < <(awk 'BEGIN { print "label,a"; for (k = 0; k < 300; k++) print "x," k }')
    refuses 0 "all samples have the same label"
    learn p --new --no-answers --set model=tacos --set threshold_output=1000 --set context=none \
        < <(awk 'BEGIN { print "label,a"; for (k = 0; k < 300; k++) print (k % 3 == 0) "," (k % 3 == 0) }')
    [[ "$stderr" == *"warning: "*"spiking networks need keys that suit the data"* ]]
}

# ---- rows that are wrong ----

@test "a row that cannot be learned: told with its line, and the end or not" {
    printf 'a,b,label\n1,red,x\n2,blue,y\n' >good.csv
    "$TACOS" learn good --new --quiet <good.csv
    while IFS=@ read -r line why; do
        { cat good.csv; printf '%b\n' "$line"; } >bad.csv
        rm -f m m-stream
        learn m --new --quiet < <(cat bad.csv) # of a file, it would know before that a column has words
        echo "$line: $stderr"
        [ "$status" -eq 1 ]
        [[ "$stderr" == "tacos: line 4: $why"* ]]
        [ "$("$TACOS" inspect m --json | jq .samples_learned)" -eq 2 ]
        rm m
        "$TACOS" learn m --new --no-answers --on-error skip < <(cat bad.csv; tail -n +2 good.csv) 2>err
        grep -q "line 4: $why.*; skipped" err
        grep -q "1 line(s) skipped" err
        [ "$("$TACOS" inspect m --json | jq .samples_learned)" -eq 4 ]
    done <<'END'
1@there are 1 fields; expected 3
1,red,x,2@there are 4 fields; expected 3
zwei,red,x@'zwei' is not a number
\033[2J,red,x@'
END
    learn m --on-error skip < <(printf '{"x": [1, "red"], "y": 1}\n{"x": [1], "y": 1}\n{"x": [true, "a"]}\n{"x": 3}\n{\n{"x": [], "y": 2}\n')
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"line 2: a sample of 1 features was given"*"line 3: \"x\"[0] is not a number"*"line 4: it has no array"*"line 5: column"*"line 6: \"x\" is empty"* ]]
    learn m --label last < <(printf '1,red,x\n"2,blue')
    refuses 1 "a quote is opened and never closed"
    learn m < <(printf '1,2,3,4,5\n')
    refuses 2 "the first line has 5 columns; expected 2 features, and perhaps a label"
    learn u --new < <(printf '\xff\xfea\0,\0')
    refuses 1 "UTF-16"
    [ ! -e u ]
    learn m <"$BATS_TEST_TMPDIR"
    [ "$status" -eq 1 ]
}

@test "names of WAV files: sounds, without any key" {
    for k in $(seq 30); do
        tone "$((k % 2 ? 300 : 2000 + k * 20))" >"$k.wav"
        echo "$k.wav,$([ $((k % 2)) -eq 1 ] && echo low || echo high)"
    done >all.csv
    learn m --new <all.csv
    [ "$status" -eq 0 ]
    [[ "$stderr" == "the label is the last column"* ]]
    [ "$(tail -5 <<<"$output" | cut -d, -f1 | tr '\n' ' ')" = "high low high low high " ]
    "$TACOS" inspect m --json | jq -e '.encoder == "spectrogram" and .n_inputs == 512 and
        (.features | length == 1 and .[0].kind == "sound") and .config.encoder == "spectrogram"'
    # the same with names of columns, as JSON, and in parts
    { echo file,label; cat all.csv; } | "$TACOS" learn h --new --quiet
    "$TACOS" inspect h --json | jq -e '.samples_learned == 30 and .features[0].name == "file" and .features[0].kind == "sound"'
    sed 's/\(.*\),\(.*\)/{"x": ["\1"], "y": "\2"}/' all.csv | "$TACOS" learn j --new --quiet
    cmp j m
    head -11 all.csv | "$TACOS" learn r --resume --quiet
    "$TACOS" learn r --resume --quiet <all.csv
    cmp r m
    sed 's/\(.*\),\(.*\)/{"x": "\1", "y": "\2"}/' all.csv | "$TACOS" learn s --new --quiet
    cmp s m
    # the label may come first, be a number, or be missing; a name may hold a comma
    sed 's/\(.*\),low/1,\1/; s/\(.*\),high/2,\1/' all.csv >numbers.csv
    learn n --new --no-answers <numbers.csv
    [[ "$stderr" == "the label is the first column"* && "$stderr" == *"  encoder                  spectrogram  16 x 32"* ]]
    cp 1.wav "a,b.wav"
    learn c --new --no-answers < <(printf '"a,b.wav",\n'; cat all.csv)
    [[ "$stderr" == "the label is the last column"* ]]
    "$TACOS" inspect c --json | jq -e '.samples_seen == 31 and .samples_learned == 30 and .encoder == "spectrogram"'
    # one name per line: no label
    run --separate-stderr "$TACOS" predict m < <(cut -d, -f1 all.csv)
    [ "$(sed 1d <<<"$output" | head -4 | cut -d, -f1 | tr '\n' ' ')" = "low high low high " ]
    run --separate-stderr "$TACOS" encode m --json < <(cut -d, -f1 all.csv)
    jq -es 'length == 30 and (.[0].features | .["feature 1"] | length == 512 and min == 0 and max == 1)' <<<"$output"
}

@test "a sound that cannot be read is a row that cannot be learned" {
    tone 300 >a.wav
    head -c 30 a.wav >cut.wav
    printf 'a.wav,x\ngone.wav,x\ncut.wav,x\n,x\na.wav,y\n' >all.csv
    learn m --new --on-error skip <all.csv
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"line 2: cannot read gone.wav: No such file"*"line 3: cut.wav: "*"line 4: feature 1 must be the name of a WAV file"* ]]
    [[ "$stderr" == *"3 line(s) skipped"* ]]
    [ "$("$TACOS" inspect m --json | jq .samples_learned)" -eq 2 ]
    rm m m-stream
    learn m --new <all.csv
    refuses 1 "tacos: line 2: cannot read gone.wav"
    run --separate-stderr "$TACOS" predict m < <(echo gone.wav)
    refuses 1 "line 1: cannot read gone.wav"
    learn t --new --set encoder=table <all.csv # names may also be words
    [ "$status" -eq 0 ]
    learn t2 --new < <(printf 'file,speaker,label\na.wav,ann,x\na.wav,bob,y\n')
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"note: feature 1 is the name of a WAV file, which is read only where it is the only feature"* ]]
    learn none --new --on-error skip < <(printf 'gone.wav,x\ngone.wav,y\n')
    refuses 1 "no line could be learned"
    [ ! -e none ]
}

@test "columns that change places are refused; a label elsewhere is found" {
    printf 'a,b,label\n1,5,x\n2,6,y\n' | "$TACOS" learn m --new --quiet
    learn m < <(printf 'b,a,label\n5,1,x\n')
    refuses 1 "column 1 is 'b'; expected 'a'"
    learn m --no-answers < <(printf 'kind,a,b\nx,1,5\n')
    refuses 0 "the label is column 1, 'kind'"
    learn m --no-answers < <(printf 'a,b\n1,5\n')
    refuses 0 "no column is the label"
    "$TACOS" learn last --new --quiet < <(printf 'a,b,label\n1,5,x\n2,6,y\n')
    learn last --no-answers <<<"1,5,x" # no names, but it is where it was
    refuses 0 "the label is the last column"
    [ "$("$TACOS" inspect last --json | jq -c '[.labels[] | .samples]')" = "[2,1]" ]
}

@test "an empty input, and one that is interrupted before its first line" {
    learn m --new </dev/null
    [ "$status" -eq 0 ]
    learn m </dev/null
    [ "$status" -eq 0 ]
    learn m --new < <(printf 'label,a\nx,1\n') # it has not learned
    [ "$status" -eq 0 ]
    learn m --new </dev/null
    refuses 2 "m exists; without --new it is resumed"
    mkfifo pipe
    exec 7<>pipe
    begin "$TACOS" learn m <pipe
    printf 'x,1\n' >&7
    await "the label is"
    end_by TERM
    exec 7>&-
    [ "$status" -gt 128 ]
    [[ "$stderr" == *"interrupted; what was learned is kept in m; with the same input"*'`tacos learn m --resume` resumes'* ]]
}

@test "interrupted: the whole command that resumes" {
    flowers 0 500 | quoted >all.csv
    "$TACOS" learn whole --new --set warm_up=50 --quiet <all.csv
    mkfifo pipe
    exec 7<>pipe
    begin "$TACOS" learn m --new --set warm_up=50 --no-answers --out 'a folder' --tell-every 100 <pipe
    head -240 all.csv >&7
    await "200 samples"
    end_by TERM
    exec 7>&-
    resume=$(sed -n 's/^`tacos \(.*\)` resumes$/\1/p' <<<"$stderr")
    [ "$resume" = "learn m --set warm_up=50 --no-answers --out 'a folder' --tell-every 100 --resume" ]
    eval "\"\$TACOS\" $resume" <all.csv
    cmp whole m
    [ "$(jq .overall.samples 'a folder/stream.json')" -eq "$("$TACOS" inspect m --json | jq .samples_learned)" ]
}

# ---- going on ----

@test "in parts: the same model, and the same evaluation" {
    flowers 0 500 | quoted >all.csv
    learn whole --new --out whole.d <all.csv
    [ "$status" -eq 0 ]
    wanted=$(sed 's/ [0-9]* of them now//' <<<"$stderr" | grep '^  ')
    answers=$output
    "$TACOS" learn parts --new --save-every 7 --out parts.d < <(head -201 all.csv) >a.csv 2>/dev/null
    learn parts --save-every 7 --out parts.d --tell-every 10000 < <(tail -n +202 all.csv)
    [ "$status" -eq 0 ]
    cmp whole parts
    [ "$(grep '^  ' <<<"$stderr")" = "$wanted" ]
    [ "$(sed 1d <<<"$output")" = "$(tail -n 300 <<<"$answers")" ]
    for field in overall recent drift labels confusion; do
        [ "$(jq -c ".$field" whole.d/stream.json)" = "$(jq -c ".$field" parts.d/stream.json)" ]
    done
    # a model from elsewhere has no evaluation of its own: it starts over, and reports it
    cp whole moved
    learn moved --no-answers < <(head -5 all.csv)
    refuses 0 "moved-stream does not belong to this model: the evaluation starts over"
}

@test "--resume: a row that ended learning is read again" {
    { bare 0 100; echo "1,red,much,rose"; bare 100 200; } | quoted >bad.csv
    { bare 0 100; bare 100 200; } | quoted >all.csv
    "$TACOS" learn want --resume --quiet <all.csv
    learn m --resume --quiet < <(cat bad.csv) # of a file, it would know before that a column has words
    refuses 1 "line 101: "
    learn m --resume --quiet < <(cat bad.csv)
    refuses 1 "line 101: "
    learn m --resume --quiet <all.csv # it was mended
    [ "$status" -eq 0 ]
    cmp m want
}

@test "--resume: the same command goes on where it was killed" {
    flowers 0 500 | quoted >all.csv
    { head -100 all.csv; echo "1,2"; echo "what,is,this,?"; tail -n +101 all.csv; } >odd.csv # two rows are skipped
    "$TACOS" learn whole --new --quiet --on-error skip <odd.csv 2>/dev/null
    mkfifo pipe
    exec 7<>pipe
    begin "$TACOS" learn m --resume --on-error skip --save-every 50 --tell-every 230 <pipe
    head -240 odd.csv >&7
    await "230 samples"
    end_by KILL
    exec 7>&-
    [ "$("$TACOS" inspect m --json | jq .samples_seen)" -eq 200 ]
    learn m --resume --on-error skip --tell-every 10000 <odd.csv
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"500 samples, 300 of them now"* ]]
    [ "${#lines[@]}" -eq 300 ] # without the line of names
    cmp whole m
    learn m --resume --on-error skip <odd.csv # there is no more
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    cmp whole m
    learn m --resume --preset small <odd.csv
    refuses 2 "m has column_memory_kb="
    learn m --resume --set labels_max=5 <odd.csv
    refuses 2 "m has labels_max=1000, not 5"
}

@test "the folder is current while it learns" {
    flowers 0 400 | quoted >all.csv
    mkfifo pipe
    exec 7<>pipe
    begin "$TACOS" learn m --new --no-answers --out deep/o --label kind --tell-every 350 <pipe
    head -361 all.csv >&7
    await "350 samples"
    [ "$(jq .overall.samples deep/o/stream.json)" -eq 300 ]
    [ "$(cut -d, -f1 deep/o/stream.csv | tr '\n' ' ')" = "samples 100 200 300 " ]
    end_by TERM
    exec 7>&-
    [ "$(jq -c '[.overall.samples, .model, (.labels | length)]' deep/o/stream.json)" = '[360,"m",3]' ]
    [ "$(tail -1 deep/o/stream.csv | cut -d, -f1)" -eq 360 ]
}

# Sanitizers reserve more memory than any bound worth testing.
need_bounded_memory() {
    bash -c 'ulimit -v 60000; "$TACOS" --version' >/dev/null 2>&1 || skip "this build does not run in 60 MB"
}

@test "memory does not grow with the stream" {
    need_bounded_memory
    flowers 0 200 | quoted >all.csv
    "$TACOS" learn m --new --quiet --label last <all.csv
    sed 1d all.csv >more.csv
    for _ in $(seq 100); do cat more.csv; done | bash -c 'ulimit -v 60000; "$TACOS" learn m --quiet --label last'
    [ "$("$TACOS" inspect m --json | jq .samples_learned)" -eq 20200 ]
}

@test "a full disk: told, and the old model stays whole, with its evaluation" {
    flowers 0 300 | quoted >all.csv
    "$TACOS" learn m --new --quiet --label last <all.csv
    cp m before
    run --separate-stderr bash -c 'ulimit -f 8; "$TACOS" learn m --no-answers <all.csv'
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"File too large"* ]]
    cmp m before
    learn m --no-answers < <(tail -n +2 all.csv)
    [ "$status" -eq 0 ]
    [[ "$stderr" != *"starts over"* ]]
}

# ---- predict, and the other commands ----

@test "predict: nothing is learned, and labels that are there are compared" {
    flowers 0 300 | quoted >all.csv
    "$TACOS" learn m --new --quiet --label kind <all.csv
    cp m before
    run --separate-stderr "$TACOS" predict m <all.csv
    [ "$status" -eq 0 ]
    cmp m before
    [ "${#lines[@]}" -eq 301 ]
    [[ "$stderr" == *"% of 300 right" ]]
    all=$output
    sed 's/,"sage, wild"$\|,[a-z]*$//' all.csv >bare.csv
    run --separate-stderr "$TACOS" predict m <bare.csv
    [ "$output" = "$all" ]
    [ "$stderr" = "no column is the label" ]
    run --separate-stderr "$TACOS" predict m --json --quiet < <(head -2 bare.csv)
    jq -e '.line == 2 and (.chances | length == 3 and (add - 1 | fabs < 0.001)) and .confidence <= 1' <<<"$output"
    [ "$(jq -r .label <<<"$output")" = "$(sed -n 's/^"\?\([a-z, ]*\)"\?,[01]\..*/\1/p' <<<"$all" | sed -n 1p)" ]
    run --separate-stderr "$TACOS" predict m --reject 1 --json --quiet < <(head -2 bare.csv)
    jq -e '.label == null' <<<"$output"
    run --separate-stderr "$TACOS" predict m <<<"1,2"
    refuses 2 "the first line has 2 columns"
}

@test "inspect: features with kinds and scales, encoder, labels with counts" {
    flowers 0 300 | quoted >all.csv
    "$TACOS" learn m --new --quiet --label kind --set labels_max=7 <all.csv
    run --separate-stderr "$TACOS" inspect m
    [ "$status" -eq 0 ]
    [[ "$output" == *"m: classifier, model columns, seed 1, 300 samples learned of 300 seen"* ]]
    [[ "$output" == *"encoder table: 3 features, 24 inputs"* ]]
    grep -q '^ *labels_max  *7  *1000' <<<"$output"
    grep -q '^ *colour  *category  *-  *-  *12  *green, blue, red' <<<"$output"
    grep -q '^ *sage, wild  *100' <<<"$output"
    "$TACOS" inspect m --json | jq -e '.samples_seen == 300 and .encoder == "table" and .n_inputs == 24 and .image == null and
        (.features | map(.name) == ["height", "colour", "weight"] and .[0].kind == "number" and .[0].low > 900 and .[0].high < 1800
            and .[1].categories == ["green", "blue", "red"] and .[1].first_input == 6) and
        (.labels | map(.samples) == [100, 100, 100]) and .config.labels_max == "7" and .config.model == "columns" and
        (.digest | length == 8) and .bytes.model > 0 and (.warming_up | not)'
}

@test "export, import and merge refuse a classifier" {
    printf 'label,a\nx,1\ny,2\n' | "$TACOS" learn m --new --quiet
    run --separate-stderr "$TACOS" export m w.safetensors
    refuses 1 "m is a classifier, whose labels and scales a file of weights cannot hold"
    [ ! -e w.safetensors ]
    cp m n
    run --separate-stderr "$TACOS" merge m n -o o
    refuses 1 "m is a classifier"
    [ ! -e o ]
}

@test "a classifier that is damaged or newer, and a state that is nonsense" {
    printf 'label,a\nx,1\ny,2\n' | "$TACOS" learn m --new --quiet
    head -c 40 m >cut
    for command in learn predict inspect encode; do
        run --separate-stderr "$TACOS" $command cut <<<"x,1"
        refuses 1 cut
    done
    for text in '' '{' '[]' '{"states": 3}' '{"states": [{"samples": 2}]}' \
        "$(jq -c '.states[].evaluation = "zz"' m-stream)" "$(jq -c '.states[].rows = -1' m-stream)" \
        "$(jq -c '.states[].label_column = 1e10' m-stream)" "$(jq -c '.states[].evaluation |= .[:100]' m-stream)"; do
        cp m n
        echo "$text" >n-stream
        learn n --label first --no-answers <<<"x,1"
        refuses 0 "n-stream does not belong to this model"
    done
}
