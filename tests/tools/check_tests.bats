# check_tests.bats - tools/check-tests finds what it is for, and nothing else: each kind planted, and its like that is
# right.

bats_require_minimum_version 1.5.0

setup() {
    CHECK=$BATS_TEST_DIRNAME/../../tools/check-tests
    cd "$BATS_TEST_TMPDIR" || return
}

# The file on stdin is found fault with, in this line and with these words, and nowhere else.
finds() { # FILE LINE TEXT
    sed "s/^%/@/" >"$1" # bats would take @test for its own
    run "$CHECK" "$1"
    echo "$output"
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == "$1:$2: "*"$3"* ]]
}

passes() { # FILE
    sed "s/^%/@/" >"$1" # bats would take @test for its own
    run -0 "$CHECK" "$1"
    [ -z "$output" ]
}

@test "bats: a command with ! before the end" {
    finds t.bats 2 "run !" <<'END'
%test "x" {
    ! grep -q wrong file
    [ -e file ]
}
END
    finds t.bats 3 "run !" <<'END'
%test "in a loop it is never the end" {
    for k in 1 2; do
        ! grep -q $k file
    done
}
END
    passes t.bats <<'END'
%test "x" {
    run ! grep -q wrong file
    if ! grep -q a file; then
        [ -e file ]
    fi
    ! grep -q wrong file
}
END
}

@test "bats: a list before the end" {
    finds t.bats 2 "a && b" <<'END'
%test "x" {
    grep -q a file && grep -q b file
    [ -e file ]
}
END
    passes t.bats <<'END'
%test "x" {
    [[ -e file && -e other ]]
    [ -n "$DATA" ] && [ -d "$DATA" ] || skip "no data"
    for k in 1 2; do
        [ -e $k ] && break
    done
    [ "$(cd folder && ls)" = file ]
    echo "a && b"
    if [ -e a ] && [ -e b ]; then
        [ -e c ]
    fi
    grep -q a file && grep -q b file
}
END
}

@test "bats: an assertion that was taken away" {
    while read -r command <&9; do
        finds t.bats 2 "takes the assertion away" <<END
%test "x" {
    $command || true
    [ -e other ]
}
END
    done 9<<'COMMANDS'
[ -e file ]
[[ a == b ]]
grep -q a file
diff a b
cmp a b
test -e a
jq -e .a b
COMMANDS
    passes t.bats <<'END'
%test "x" {
    kill %1 || true
    [ -e other ]
}
END
}

@test "bats: what ran is never looked at" {
    finds t.bats 2 "never looked at" <<'END'
%test "x" {
    run tacos one
    run tacos two
    [ "$status" -eq 0 ]
}
END
    finds t.bats 3 "never looked at" <<'END'
%test "x" {
    [ -e file ]
    run --separate-stderr tacos one
}
END
    finds t.bats 6 "never looked at" <<'END'
tacos() {
    run --separate-stderr "$TACOS" "$@"
}

%test "through a function" {
    KEY=1 tacos one
    [ -e file ]
}
END
    cat >helper.bash <<'END'
tacos() {
    run "$TACOS" "$@"
}
END
    finds t.bats 4 "never looked at" <<'END'
load helper

%test "through one of another file" {
    tacos one
}
END
    rm helper.bash
    passes t.bats <<'END'
refuses() { # TEXT
    [ "$status" -eq 1 ]
    [[ "$output" == *"$1"* ]]
}

%test "x" {
    run -0 tacos one
    run ! tacos two
    run --separate-stderr -2 tacos three
    run tacos four
    refuses "no"
    run tacos five
    [ "${lines[0]}" = x ]
}
END
}

@test "bats: clocks" {
    while read -r command <&9; do
        finds t.bats 2 "clock" <<END
%test "x" {
    $command
    [ -e file ]
}
END
        finds helper.bash 2 "clock" <<END
helper() {
    $command
    [ -e file ]
}
END
        finds script 2 "clock" <<END
#!/bin/sh
$command
END
        rm helper.bash
    done 9<<'COMMANDS'
sleep 1
SECONDS=0
[ "$SECONDS" -lt 3 ]
timeout 5 tacos
x=$(date +%s)
echo $EPOCHREALTIME
bash -c 'tacos & sleep 0.2; kill \$!'
COMMANDS
    passes t.bats <<'END'
%test "it does not sleep, whatever the date" { # no timeout
    [ -e file ]
    cat <<'WORDS'
sleep 1
WORDS
}
END
}

@test "C: a test without an assertion" {
    finds test.c 7 "does_nothing asserts nothing" <<'END'
static void does_nothing(void **state) {
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
    cat >helper.h <<'END'
#define assert_good(x) assert_true(x)

static void look(int x,
                 int y) {
    assert_good(x == y);
}
END
    passes test.c <<'END'
static void inner(void) {
    look(1, 2);
}

static void through_others(void **state) {
    inner();
}

static void itself(void **state) {
    assert_int_equal(1, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_others),
        IN_FOLDER(itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
}

@test "C: clocks" {
    while read -r call <&9; do
        finds test.c 2 "clock" <<END
static void wait_a_bit(void) {
    (void)$call;
}
END
    done 9<<'COMMANDS'
sleep(1)
usleep(1)
nanosleep(&t, NULL)
clock_gettime(CLOCK_MONOTONIC, &t)
time(NULL)
clock_seconds()
gettimeofday(&t, NULL)
alarm(1)
COMMANDS
    passes test.c <<'END'
static void form_only(void) {
    row_sleep(1);
    bench_time(2);
    printf("%g\n", clock_seconds()); /* clock: printed, not judged */
}
END
}

@test "Python: a test without an assertion, and clocks" {
    finds test_x.py 3 "test_nothing asserts nothing" <<'END'
import tacos

def test_nothing():
    tacos.Learner(1, 2, 3)

def test_something():
    assert tacos
END
    finds test_x.py 4 "test_nothing asserts nothing" <<'END'
def test_something():
    assert tacos

def test_nothing():
    tacos.Learner(1, 2, 3)
END
    while read -r call <&9; do
        finds test_x.py 2 "clock" <<END
def test_x():
    assert $call
END
    done 9<<'COMMANDS'
time.sleep(1)
time.perf_counter()
time.time()
signal.setitimer(signal.ITIMER_REAL, 1)
child.communicate(timeout=20)
COMMANDS
    passes test_x.py <<'END'
def test_x():
    with pytest.raises(ValueError):
        learn()

def helper():
    print(time.process_time())  # clock: printed, not judged
END
}

@test "JavaScript: a test without an assertion, and clocks" {
    finds x.mjs 1 "asserts nothing" <<'END'
test("nothing", async () => {
  await page.evaluate(() => {
    go();
  });
});
END
    while read -r call <&9; do
        finds x.mjs 2 "clock" <<END
test("x", async () => {
  assert.ok($call);
});
END
    done 9<<'COMMANDS'
page.waitForTimeout(300)
page.click("a", { timeout: 30000 })
Date.now()
performance.now()
setTimeout(go, 5)
page.setDefaultTimeout(5000)
COMMANDS
    passes x.mjs <<'END'
test("x", async () => {
  page.setDefaultTimeout(0);
  await page.evaluate(() => {
    go();
  });
  assert.ok(page);
});
END
}

@test "the project's own tests pass" {
    run -0 "$CHECK"
    [ -z "$output" ]
}
