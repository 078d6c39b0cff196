/* test_plain.c - text from elsewhere, as it is shown. */
#include "base/utf8.h"
#include "check.h"

#include <stdio.h>

static void what_a_terminal_obeys_is_escaped(void **state) {
    (void)state;
    static const struct {
        const char *text, *plain;
    } cases[] = {
        {"", ""},
        {"split-mnist: 97.3 %", "split-mnist: 97.3 %"},
        {"Größe \xe2\x82\xac \xf0\x9f\x8c\xae", "Größe \xe2\x82\xac \xf0\x9f\x8c\xae"},
        {"back\\slash", "back\\slash"},
        {"\x1b[2J", "\\u001b[2J"},
        {"a\tb\r\nc\x7f", "a\\u0009b\\u000d\\u000ac\\u007f"},
        {"\xc2\x80\xc2\x9b"
         "2J\xc2\x9f\xc2\xa0",
         "\\u0080\\u009b2J\\u009f\xc2\xa0"},
        {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9", "\xe2\x80\xa7\\u2028\\u2029"},
        {"\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf", "\\u202a\\u202e\xe2\x80\xaf"},
        {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa",
         "\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa"},
        {"\xef\xbb\xbf"
         "dataset",
         "\\ufeffdataset"},
        {"\x9b[2J", "\\x9b[2J"},             /* C1 as a byte */
        {"\xff\xc3", "\\xff\\xc3"},          /* no UTF-8; cut off */
        {"\xc0\x9b", "\\xc0\\x9b"},          /* too long a form */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* half of a pair */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[64];
        assert_int_equal(tacos_text_plain(cases[i].text, buf, sizeof buf), strlen(cases[i].plain));
        assert_string_equal(buf, cases[i].plain);
        assert_int_equal(tacos_text_plain(buf, NULL, 0), strlen(buf)); /* once is enough */
    }
}

/* Whatever the bytes: what comes out holds none that are more than ink. */
static void nothing_gets_through(void **state) {
    (void)state;
    char text[4], buf[40];
    for (unsigned a = 1; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            for (unsigned c = 0; c < 256; c += 1 + (c & 1)) {
                (void)snprintf(text, sizeof text, "%c%c%c", a, b, c);
                (void)tacos_text_plain(text, buf, sizeof buf);
                for (const unsigned char *at = (unsigned char *)buf; *at;) {
                    size_t n = utf8_length(at);
                    if (n == 0 || plain_is_control(plain_code_point(at, n)))
                        fail_msg("%02x %02x %02x: %s", a, b, c, buf);
                    at += n;
                }
            }
}

static void it_is_cut_between_characters(void **state) {
    (void)state;
    static const char text[] = "a\xe2\x82\xac\x1b"
                               "b",
                      plain[] = "a\xe2\x82\xac\\u001bb";
    static const size_t ends[] = {1, 4, 10, 11}; /* of its characters */
    for (size_t size = 0; size <= sizeof plain; size++) {
        char buf[sizeof plain + 1];
        size_t fits = 0;
        memset(buf, 'x', sizeof buf);
        for (size_t e = 0; e < 4; e++)
            if (ends[e] < size)
                fits = ends[e];
        assert_int_equal(tacos_text_plain(text, size > 0 ? buf : NULL, size), sizeof plain - 1);
        assert_int_equal(buf[size], 'x');
        if (size == 0)
            continue;
        assert_int_equal(strlen(buf), fits);
        assert_memory_equal(buf, plain, fits);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_terminal_obeys_is_escaped),
        cmocka_unit_test(nothing_gets_through),
        cmocka_unit_test(it_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
