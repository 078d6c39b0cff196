# dist.bats - tools/dist: what is released is complete, and the same whenever it is made.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    [ -e .git ] || skip "not in a clone"
}

@test "the single file of a release learns what that of this tree does" {
    tools/dist "$BATS_TEST_TMPDIR/a"
    tar -C "$BATS_TEST_TMPDIR" -xzf "$BATS_TEST_TMPDIR"/a/tacos-single-*.tar.gz
    cd "$BATS_TEST_TMPDIR"/tacos-single-*/
    [ -s LICENSE ]
    [ -s small.md ]
    cc -std=c99 -O1 -I. examples/digits.c examples/desktop/port.c tacos.c -o digits
    ./digits >out
    cat out
    grep -qx 'after task 2: 99% 94%' out
    grep -qx '2000 samples, 60 units, digest 526f4b77' out
    cc -std=c99 -O1 -I. examples/sensor.c examples/desktop/port.c tacos.c -o sensor
    ./sensor >out
    cat out
    # Three motions are known and two are not; then all five are.
    [ "$(grep -c 'recognized \(9[5-9]\|100\)%' out)" -eq 8 ]
    [ "$(grep -c 'recognized 0%, unknown \(9[5-9]\|100\)%' out)" -eq 2 ]
}

@test "a release has the same bytes whenever it is made" {
    tools/dist "$BATS_TEST_TMPDIR/a"
    tools/dist "$BATS_TEST_TMPDIR/b"
    diff -r "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
    [ "$(tar -tzf "$BATS_TEST_TMPDIR"/a/tacos-0*.tar.gz | grep -c /src/columns/learn.c)" -eq 1 ]
}
