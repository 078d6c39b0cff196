# c.awk - unit tests: functions in a table of tests that assert nothing, neither themselves nor through another; clocks.

function begin(called) {
    name = called
    body[name] = ""
}

reported && has_call($0, "u?sleep|(clock_)?nanosleep|clock_gettime|clock_seconds|gettimeofday|timespec_get|time|clock|alarm|setitimer") {
    report_clock(FNR, $0)
}

/^#define [A-Za-z_]+[(]/ { begin(substr($2, 1, index($2, "(") - 1)) }
/^[A-Za-z].*[(]/ && !/;$/ && !/^(typedef|struct|enum)/ {
    match($0, /[A-Za-z_0-9]+[(]/)
    begin(substr($0, RSTART, RLENGTH - 1))
}
name != "" { body[name] = body[name] $0 "\n" }
/^}/ { name = "" }

/CMUnitTest .*[{]$/ { table = 1 }
table && reported && match($0, /[(][a-z_0-9]+/) { tests[substr($0, RSTART + 1, RLENGTH - 1)] = FNR }
/^ *};/ { table = 0 }

function mark(asserting,    found, k, n, words) {
    found = 0
    for (k in body) {
        if (k in asserting)
            continue
        n = split(body[k], words, /[^A-Za-z0-9_]+/)
        for (; n > 0; n--)
            if (words[n] ~ /^(assert_|fail_msg|fail$|CHECK$|SUCCEED$)/ || words[n] in asserting) {
                asserting[k]
                found = 1
                break
            }
    }
    return found
}

END {
    while (mark(asserting))
        ;
    for (k in tests)
        if (k in body && !(k in asserting))
            report(tests[k], k " asserts nothing")
}
