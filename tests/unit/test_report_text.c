/* test_report_text.c - what is written into pages and tables: escaped, encoded, and never more than
 * was meant. */
#include "report/charts/text.h"
#include "check.h"

#include <math.h>

/* A text, compared and freed. */
static void assert_text(Text *text, const char *wanted) {
    assert_false(text->failed);
    assert_string_equal(text_bytes(text), wanted);
    assert_int_equal(text->n, strlen(wanted));
    text_free(text);
}

static void an_empty_text_is_a_text(void **state) {
    (void)state;
    Text text = {0};
    assert_string_equal(text_bytes(&text), "");
    text_add(&text, "");
    assert_text(&text, "");
}

static void it_grows(void **state) {
    (void)state;
    Text text = {0};
    for (size_t i = 0; i < 10000; i++)
        text_format(&text, "%05zu", i);
    assert_int_equal(text.n, 50000);
    assert_memory_equal(text.bytes + 5 * 9876, "09876", 5);
    assert_int_equal(text.bytes[text.n], '\0');
    text_free(&text);
}

static void words_of_others_are_escaped(void **state) {
    (void)state;
    static const struct {
        const char *words, *escaped;
    } cases[] = {
        {"plain words", "plain words"},
        {"<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"},
        {"a & b \"c\"", "a &amp; b &quot;c&quot;"},
        {"Gr\xc3\xb6\xc3\x9f"
         "e \xe2\x82\xac \xf0\x9f\x90\x99",
         "Gr\xc3\xb6\xc3\x9f"
         "e \xe2\x82\xac \xf0\x9f\x90\x99"},
        {"line\nand\ttab", "line\nand\ttab"},
        /* no character of XML: controls, half of a pair, too long a form, beyond the last, cut off
         */
        {"\x01\x1f\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc2\x85", "\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf5\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xef\xbf\xbe", "\xef\xbf\xbd"},
        {"a\xe2\x82", "a\xef\xbf\xbd\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0};
        text_escape(&text, cases[i].words);
        assert_text(&text, cases[i].escaped);
    }
}

/* Whatever bytes come, nothing of meaning to HTML or XML is left, and all is UTF-8. */
static void no_bytes_break_out(void **state) {
    (void)state;
    Dice dice = {.game = 1};
    for (int turn = 0; turn < 5000; turn++) {
        char words[33] = {0};
        Text text = {0};
        for (size_t i = 0; i < 32; i++)
            words[i] = (char)(roll_word(&dice) % 255 + 1);
        text_escape(&text, words);
        for (size_t i = 0; i < text.n; i++) {
            unsigned char c = (unsigned char)text.bytes[i];
            assert_true(c >= 0x20 || c == '\n' || c == '\t');
            assert_null(strchr("<>\"'", c));
        }
        text_free(&text);
    }
}

static void numbers_are_short(void **state) {
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {
        {1, 2, "1"},
        {1.5, 2, "1.5"},
        {1.25, 1, "1.2"},
        {-0.001, 2, "0"},
        {100, 0, "100"},
        {-12.30, 2, "-12.3"},
        {0.1 + 0.2, 3, "0.3"},
        {1e6, 2, "1000000"},
        {NAN, 2, "\xe2\x80\x93"},
        {INFINITY, 2, "\xe2\x80\x93"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0};
        text_number(&text, cases[i].value, cases[i].digits);
        assert_text(&text, cases[i].text);
    }
    Text text = {0};
    text_number(&text, 1e300, 2); /* longer than any buffer of a careless writer */
    assert_int_equal(text.n, 301);
    text_free(&text);
}

static void uris_and_base64(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *base64;
    } cases[] = {{"", ""},
                 {"f", "Zg=="},
                 {"fo", "Zm8="},
                 {"foo", "Zm9v"},
                 {"foob", "Zm9vYg=="},
                 {"fooba", "Zm9vYmE="},
                 {"foobar", "Zm9vYmFy"}}; /* RFC 4648 */
    Text text = {0};
    text_uri(&text, "a-z_A.Z~09 ,\n\"%<\xc3\xb6");
    assert_text(&text, "a-z_A.Z~09%20%2C%0A%22%25%3C%C3%B6");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_base64(&text, cases[i].bytes, strlen(cases[i].bytes));
        assert_text(&text, cases[i].base64);
    }
    text_base64(&text, "\xff\xff\xbe", 3);
    assert_text(&text, "//++");
}

static void tables_have_quotes_where_they_need_them(void **state) {
    (void)state;
    Text csv = {0};
    static const char *const head[] = {"name", "a, b", "value", NULL};
    csv_head(&csv, head);
    csv_word(&csv, "plain");
    csv_word(&csv, "say \"so\"");
    csv_real(&csv, 0.1);
    csv_end(&csv);
    csv_word(&csv, "");
    csv_word(&csv, "two\nlines");
    csv_real(&csv, NAN);
    csv_end(&csv);
    csv_whole(&csv, 7);
    csv_end(&csv);
    assert_text(&csv, "name,\"a, b\",value\n"
                      "plain,\"say \"\"so\"\"\",0.1\n"
                      "\"\",\"two\nlines\",\n"
                      "7\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_is_a_text),
        cmocka_unit_test(it_grows),
        cmocka_unit_test(words_of_others_are_escaped),
        cmocka_unit_test(no_bytes_break_out),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(uris_and_base64),
        cmocka_unit_test(tables_have_quotes_where_they_need_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
