# mjs.awk - tests without an assertion, and clocks.

/setTimeout[(]|waitForTimeout|Date\.now|performance\.now|[{ ,]timeout:/ { report_clock(FNR, $0) }
/[sS]etDefault[A-Za-z]*Timeout[(]/ && !/Timeout[(]0[)]/ { report_clock(FNR, $0) }

/^ *test[(]/ {
    test = FNR
    match($0, /^ */)
    indent = RLENGTH
    asserts = 0
}
/assert/ { asserts = 1 }
/^ *}[)];/ && match($0, /^ */) && RLENGTH == indent {
    if (test && !asserts)
        report(test, "this test asserts nothing")
    test = 0
}
