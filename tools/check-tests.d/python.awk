# python.awk - tests without an assertion, and clocks.

function leave() {
    if (test != "" && !asserts)
        report(begun, test " asserts nothing")
    test = ""
}

{ sub(/#  *clock: /, "clock: ") }
has_call($0, "time\\.(sleep|time|monotonic|perf_counter|process_time|time_ns)|setitimer|alarm") ||
    /from time import/ || /[(, ]timeout=/ { report_clock(FNR, $0) }

/^[^ \t#)]/ { leave() }
/^(async )?def test_/ {
    test = $0
    sub(/.*def /, "", test)
    sub(/[(].*/, "", test)
    begun = FNR
    asserts = 0
}
/(^|[^A-Za-z_])assert / || /pytest\.(raises|warns|fail)/ || /\.assert_/ || has_call($0, "check(_[a-z_]+)?") { asserts = 1 }
END { leave() }
