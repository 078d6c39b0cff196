/* test_table.c - tables as text: what is accepted, what is made of it, and what errors say. */
#include "data/formats/fields.h"
#include "data/formats/table.h"

#include "folder.h"
#include "tacos_lab.h"

#include <locale.h>
#include <math.h>
#include <zlib.h>

static void put_text(const Folder *folder, const char *text) {
    write_bytes(folder->file, text, strlen(text));
}

static const TableRules ahead = {.look_ahead = TABLE_LOOK_AHEAD};

static Table read_text(const Folder *folder, const char *text, const TableRules *rules) {
    Table table;
    tacos_error err;
    put_text(folder, text);
    assert_succeeds(table_read(&table, folder->file, rules, &err));
    return table;
}

/* Every way to write the same three rows. */
static void the_same_rows_however_written(void **state) {
    static const char *const texts[] = {
        "a,b,c,label\n1,2.5,-3e2,x\n4,,6,y\n7,8,9,x\n",
        ("\xef\xbb\xbf"
         "a,b,c,label\r\n1,2.5,-3e2,x\r\n4,?,6,y\r\n7,8,9,x"),
        "a;b;c;label\n1;2,5;-3e2;x\n4;NA;6;y\n\n  \n7;8;9;x\n",
        "a\tb\tc\tlabel\n1\t2.5\t-300\tx\n4\tnan\t6\ty\n7\t8\t9\tx\n",
        "\"a\" , \"b\",c,label\n \"1\", 2.5 ,-300.0,\"x\"\n4,N/A,6,y\n7,8,9,\"x\"\n",
        "label,a,b,c\nx,1,2.5,-300\ny,4,null,6\nx,7,8,9\n",
    };
    const Folder *folder = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Table table = read_text(folder, texts[i], &ahead);
        assert_int_equal(table.n_rows, 3);
        assert_int_equal(table.n_features, 3);
        assert_int_equal(table.names_line, 1);
        assert_string_equal(table.features[0].name, "a");
        assert_string_equal(table.features[1].name, "b");
        assert_true(table.values[1] == 2.5);
        assert_true(table.values[2] == -300);
        assert_true(isnan(table.values[4]));
        assert_true(table.values[8] == 9);
        assert_int_equal(table.classes.n, 2);
        assert_string_equal(table.classes.text[1], "y");
        assert_int_equal(table.labels[2], 0);
        table_free(&table);
    }
}

static void words_become_numbers(void **state) {
    Table table = read_text(*state,
                            "colour,size,label\nred,1,a\n\"light \"\"sky\"\", blue\",2,b\n,3,a\n"
                            "red,4,\"two\nlines\"\n12,5,?\n",
                            &ahead);
    assert_true(table.features[0].is_text);
    assert_false(table.features[1].is_text);
    assert_int_equal(table.features[0].words.n, 3);
    assert_string_equal(table.features[0].words.text[1], "light \"sky\", blue");
    assert_true(table.values[0] == 0 && table.values[2] == 1 && table.values[6] == 0);
    assert_true(isnan(table.values[4]));
    assert_true(table.values[8] == 2); /* "12" among words is a word */
    assert_string_equal(table.classes.text[2], "two\nlines");
    assert_int_equal(table.labels[4], TABLE_NO_LABEL);
    table_free(&table);
}

/* A first row is a header if all fields are names, or one is a name above numbers. */
static void headers_are_recognised(void **state) {
    static const struct {
        const char *text;
        size_t names_line, n_rows;
    } cases[] = {
        {"5.1,3.5,setosa\n4.9,3,setosa\n", 0, 2},
        {"a,b,c\n1,2,x\n", 1, 1},
        {"0,1,label\n5,6,7\n8,9,7\n", 1, 2},
        {",a,label\n0,1,x\n1,2,y\n", 1, 2},
        {"\n\na,b\n1,2\n", 3, 1},
        {"1,2\n3,4\n", 0, 2},
        {"red,1,x\nblue,2,y\n", 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Table table = read_text(*state, cases[i].text, &ahead);
        assert_int_equal(table.names_line, cases[i].names_line);
        assert_int_equal(table.n_rows, cases[i].n_rows);
        table_free(&table);
    }
    Table table = read_text(*state, "a,b\nc,d\n", &(TableRules){.header = TABLE_HEADER_NONE});
    assert_int_equal(table.n_rows, 2);
    assert_string_equal(table.features[0].name, "column 1");
    table_free(&table);
    table = read_text(*state, "1,2\n3,4\n", &(TableRules){.header = TABLE_HEADER_FIRST});
    assert_int_equal(table.n_rows, 1);
    assert_string_equal(table.features[0].name, "1");
    table_free(&table);
}

/* A quote behind a comma opens nothing where semicolons separate. */
static void quotes_follow_the_separator(void **state) {
    Table table = read_text(*state, "a;b,\"c;d\ne;f;g\n1;2;\"x\ny\"\n", &ahead);
    assert_int_equal(table.n_features, 2);
    assert_string_equal(table.features[1].name, "b,\"c");
    assert_int_equal(table.n_rows, 2);
    assert_string_equal(table.classes.text[1], "x\ny");
    table_free(&table);
}

static void the_label_is_where_one_says(void **state) {
    static const struct {
        const char *label, *name;
        size_t n_features;
    } cases[] = {
        {NULL, "Class", 2}, {"first", "a", 2}, {"last", "b", 2},  {"b", "b", 2},
        {"1", "a", 2},      {"2", "Class", 2}, {"none", NULL, 3},
    };
    const Folder *folder = *state;
    TableReader *reader;
    tacos_error err;
    put_text(folder, "a,Class,b\n1,2,3\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TableRules rules = {.label = cases[i].label};
        assert_succeeds(table_open(&reader, folder->file, &rules, &err));
        const TableSchema *schema = table_schema(reader);
        assert_int_equal(schema->n_features, cases[i].n_features);
        if (cases[i].name)
            assert_string_equal(schema->label, cases[i].name);
        else
            assert_null(schema->label);
        table_close(reader);
    }
    assert_fails(table_open(&reader, folder->file, &(TableRules){.label = "c"}, &err),
                 TACOS_INVALID);
    assert_says(err, "there is no column 'c'");
    assert_null(reader);
    assert_fails(table_open(&reader, folder->file, &(TableRules){.label = "4"}, &err),
                 TACOS_INVALID);
}

static void a_row_may_lack_its_label(void **state) {
    const Folder *folder = *state;
    TableReader *reader;
    tacos_error err;
    const TableRow *row;
    TableRules rules = {.label = "first", .may_lack_label = true};
    put_text(folder, "y,a,b\n7,1,2\n3,4\n,5,6\n");
    assert_succeeds(table_open(&reader, folder->file, &rules, &err));
    assert_succeeds(table_next(reader, &row, &err));
    assert_string_equal(row->label, "7");
    assert_succeeds(table_next(reader, &row, &err));
    assert_null(row->label);
    assert_true(row->numbers[0] == 3 && row->numbers[1] == 4);
    assert_int_equal(row->line, 3);
    assert_succeeds(table_next(reader, &row, &err));
    assert_null(row->label);
    assert_true(row->numbers[1] == 6);
    assert_succeeds(table_next(reader, &row, &err));
    assert_null(row);
    table_close(reader);
}

static void errors_name_the_line(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "holds no row"},
        {"\n \n", "holds no row"},
        {"a,label\n", "holds no row"},
        {"a,b,label\n1,2,x\n1,x\n", ":3: there are 2 fields; expected 3"},
        {"a,label\n1,x\n\n1,2,3\n", ":4: there are 3 fields; expected 2"},
        {"a,label\n1,\"x\n", ":2: a quote is opened and never closed"},
        {"a,label\n1,\"x\"y\n", ":2: something follows a closing quote"},
        {"\xff\xfe"
         "a",
         "UTF-16"},
    };
    const Folder *folder = *state;
    Table table;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(folder, cases[i].text);
        assert_fails(table_read(&table, folder->file, &ahead, &err), TACOS_FORMAT);
        assert_says(err, cases[i].says);
        assert_null(table.values);
    }
    put_text(folder, "a,label\n1,x\ninf,x\n");
    assert_fails(table_read(&table, folder->file, &(TableRules){0}, &err), TACOS_FORMAT);
    assert_says(err, "file:3: 'inf' is not a number, as a is");
    write_bytes(folder->file, "a,b\n1,\0\n", 8);
    assert_fails(table_read(&table, folder->file, &ahead, &err), TACOS_FORMAT);
    assert_says(err, ":2: this is not text: it holds a zero byte");
    assert_fails(table_read(&table, folder->path, &ahead, &err), TACOS_FORMAT);
    assert_fails(table_read(&table, "/no/such", &ahead, &err), TACOS_MISSING);
}

static void too_many_labels_are_an_error(void **state) {
    const Folder *folder = *state;
    Table table;
    tacos_error err;
    FILE *file = fopen(folder->file, "w");
    assert_non_null(file);
    for (int i = 0; i <= TABLE_WORDS_MAX; i++)
        (void)fprintf(file, "0,c%d\n", i);
    (void)fclose(file);
    assert_fails(table_read(&table, folder->file, &ahead, &err), TACOS_RANGE);
    assert_says(err, "line 4097, the label: there are more than 4096 different words");
}

static void gzip_is_unpacked(void **state) {
    const Folder *folder = *state;
    Table table;
    tacos_error err;
    gzFile gz = gzopen(folder->file, "wb");
    assert_non_null(gz);
    assert_true(gzputs(gz, "a,label\n") > 0);
    for (int i = 0; i < 100000; i++)
        (void)gzprintf(gz, "%d,%d\n", i, i % 3);
    assert_int_equal(gzclose(gz), Z_OK);
    assert_succeeds(table_read(&table, folder->file, &ahead, &err));
    assert_int_equal(table.n_rows, 100000);
    assert_true(table.values[99999] == 99999);
    table_free(&table);
}

/* ---- a stream ---- */

/* Gives a few bytes at a time, and counts them. */
typedef struct Drip {
    const char *text;
    size_t given, at_once;
} Drip;

static tacos_status drip(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                         tacos_error *err) {
    Drip *from = source->user;
    size_t left = strlen(from->text + from->given);
    (void)err;
    *got = from->at_once < left ? from->at_once : left;
    *got = *got < n ? *got : n;
    memcpy(to, from->text + from->given, *got);
    from->given += *got;
    return TACOS_OK;
}

static void a_stream_is_read_no_further_than_its_row(void **state) {
    static const char text[] = "a,label\n1,x\n2,\"y\nz\"\n3,x\n";
    TableReader *reader;
    tacos_error err;
    const TableRow *row;
    (void)state;
    for (size_t at_once = 1; at_once < sizeof text; at_once++) {
        Drip from = {text, 0, at_once};
        ByteSource source = {.read = drip, .user = &from, .name = "the stream"};
        assert_succeeds(table_open_source(&reader, source, &(TableRules){0}, &err));
        if (at_once == 1)
            assert_int_equal(from.given, 8);
        for (int i = 1; i <= 3; i++) {
            assert_succeeds(table_next(reader, &row, &err));
            assert_true(row->numbers[0] == i);
            if (at_once == 1)
                assert_int_equal(from.given, i == 1 ? 12 : i == 2 ? 20 : 24);
        }
        assert_string_equal(row->label, "x");
        assert_succeeds(table_next(reader, &row, &err));
        assert_null(row);
        table_close(reader);
    }
}

/* The writer of a pipe waits for an answer to each row. */
static void a_row_of_a_pipe_comes_at_once(void **state) {
    static const char *const rows[] = {"a,label\n1,x\n", "2,y\n", "3,x\n"};
    TableReader *reader;
    tacos_error err;
    const TableRow *row;
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], rows[0], strlen(rows[0])), strlen(rows[0]));
    ByteSource source = fd_source(&ends[0], "standard input");
    assert_succeeds(table_open_source(&reader, source, &(TableRules){0}, &err));
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            assert_int_equal(write(ends[1], rows[i], strlen(rows[i])), strlen(rows[i]));
        assert_succeeds(table_next(reader, &row, &err));
        assert_true(row->numbers[0] == i + 1);
    }
    (void)close(ends[1]);
    assert_succeeds(table_next(reader, &row, &err));
    assert_null(row);
    table_close(reader);
    (void)close(ends[0]);
    assert_fails(table_open_source(&reader, source, &(TableRules){0}, &err), TACOS_IO);
    assert_says(err, "standard input");
    assert_null(reader);
}

/* The kind of a column is that of its first field that is not missing. */
static void words_are_found_without_looking_ahead(void **state) {
    Table table = read_text(*state, "a,b,label\n,1,x\nred,2,x\nblue,3,y\n", &(TableRules){0});
    tacos_error err;
    assert_true(table.features[0].words.n == 2);
    assert_true(table.values[4] == 1);
    table_free(&table);
    put_text(*state, "a,label\n1,x\nred,x\n");
    assert_fails(table_read(&table, ((const Folder *)*state)->file, &(TableRules){0}, &err),
                 TACOS_FORMAT);
    assert_says(err, "file:3: 'red' is not a number, as a is");
}

/* ---- numbers ---- */

static void numbers_are_those_of_strtod(void **state) {
    static const char *const texts[] = {
        "0",
        "-0",
        "1",
        "+1.5",
        ".5",
        "5.",
        "1e22",
        "1e23",
        "123456789012345678",
        "0.1",
        "3e-5",
        "9007199254740993",
        "1.7976931348623157e308",
        "4.9e-324",
        "0.000000000000000000001",
        "12345678901234567890123",
        "0.30000000000000004",
        "1e-400",
        "00000000000000000000000000000012.50000000000000000000000000000",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value, wanted = strtod(texts[i], NULL);
        assert_int_equal(field_read(texts[i], false, &value), FIELD_NUMBER);
        assert_memory_equal(&value, &wanted, sizeof value);
    }
    Dice dice = {.game = 5};
    for (int i = 0; i < 20000; i++) {
        char text[64];
        double value, wanted = roll(&dice, -1, 1) * exp(roll(&dice, -40, 40));
        (void)snprintf(text, sizeof text, "%.*g", 1 + i % 17, wanted);
        wanted = strtod(text, NULL);
        assert_int_equal(field_read(text, false, &value), FIELD_NUMBER);
        assert_memory_equal(&value, &wanted, sizeof value);
    }
}

static void what_is_no_number_is_text(void **state) {
    static const char *const texts[] = {"inf",   "-Infinity", "0x1f", "1e",    "e5",
                                        "1.2.3", "1 2",       "1,5",  "1e999", "--1",
                                        "+",     ".",         "NAN1", "- 1",   "1e+-2"};
    double value;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(field_read(texts[i], false, &value), FIELD_TEXT);
        assert_true(isnan(value));
    }
    assert_int_equal(field_read("-1,5", true, &value), FIELD_NUMBER);
    assert_true(value == -1.5);
    assert_int_equal(field_read("1,23456789012345678901", true, &value), FIELD_NUMBER);
    assert_true(value == strtod("1.23456789012345678901", NULL));
    assert_int_equal(field_read("1,5,5", true, &value), FIELD_TEXT);
}

/* ---- tacos_table ---- */

/* Text that comes a byte at a time, and then an error if there is one. */
typedef struct Slow {
    const char *text;
    size_t at;
    tacos_status end;
} Slow;

static tacos_status read_slowly(void *user, void *bytes, size_t n, size_t *got, tacos_error *err) {
    Slow *slow = user;
    *got = slow->text[slow->at] && n > 0;
    if (*got)
        *(char *)bytes = slow->text[slow->at++];
    else if (slow->end != TACOS_OK)
        *err = (tacos_error){slow->end, "the line is cut"};
    return *got ? TACOS_OK : slow->end;
}

static void rows_come_from_a_function(void **state) {
    Slow slow = {"size,kind,number\n1.5,a,7\n\n2,b\n,?,8\nx,c,9\n4,d,10\n", 0, TACOS_OK};
    const tacos_table_options options = {.waits = 1};
    tacos_table *table;
    tacos_table_row row;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_table_open(&table, "slow", read_slowly, &slow, &options, &err));
    const tacos_table_info *info = tacos_table_info_get(table);
    assert_int_equal(slow.at, strlen("size,kind,number\n")); /* and not further */
    assert_int_equal(info->n_columns, 3);
    assert_int_equal(info->n_features, 3);
    assert_int_equal(info->header_line, 1);
    assert_string_equal(info->names[1], "kind");
    assert_null(info->label);
    tacos_table_set_label(table, 1);
    tacos_table_set_text(table, 1);
    assert_string_equal(info->label, "kind");
    assert_int_equal(info->n_features, 2);

    assert_succeeds(tacos_table_next(table, &row, &err));
    assert_true(row.numbers[0] == 1.5);
    assert_string_equal(row.texts[1], "7"); /* a word, as was told */
    assert_string_equal(row.label, "a");
    assert_succeeds(tacos_table_next(table, &row, &err)); /* one field too few: no label */
    assert_int_equal(row.line, 4);
    assert_string_equal(row.texts[1], "b");
    assert_null(row.label);
    assert_succeeds(tacos_table_next(table, &row, &err));
    assert_true(isnan(row.numbers[0]));
    assert_null(row.label);
    size_t line = tacos_table_line(table);
    assert_int_equal(tacos_table_next(table, &row, &err), TACOS_FORMAT);
    assert_string_equal(err.text, "slow:6: 'x' is not a number, as size is");
    assert_int_equal(tacos_table_line(table), line + 1); /* so it goes on */
    assert_succeeds(tacos_table_next(table, &row, &err));
    assert_string_equal(row.label, "d");
    assert_succeeds(tacos_table_next(table, &row, &err));
    assert_null(row.numbers);
    tacos_table_close(table);
}

static void what_concerns_all_rows_stops(void **state) {
    Slow cut = {"1,2\n3", 0, TACOS_IO}, open_quote = {"1,2\n\"3,4\n5,6\n", 0, TACOS_OK};
    tacos_table *table;
    tacos_table_row row;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_table_open(&table, "cut", read_slowly, &cut,
                                     &(tacos_table_options){.waits = 1}, &err));
    assert_succeeds(tacos_table_next(table, &row, &err));
    assert_int_equal(tacos_table_next(table, &row, &err), TACOS_IO);
    assert_string_equal(err.text, "the line is cut");
    tacos_table_close(table);
    assert_succeeds(tacos_table_open(&table, "quote", read_slowly, &open_quote,
                                     &(tacos_table_options){.waits = 1}, &err));
    assert_succeeds(tacos_table_next(table, &row, &err));
    size_t line = tacos_table_line(table);
    assert_int_equal(tacos_table_next(table, &row, &err), TACOS_FORMAT);
    assert_int_equal(tacos_table_line(table), line);
    tacos_table_close(table);
}

/* ---- the true streams ---- */

static void reads_the_true_streams(void **state) {
    static const struct {
        const char *file;
        size_t n_rows, n_features, n_classes;
        double repeats;
    } sets[] = {{"elec2.csv.gz", 45312, 8, 2, 85.33}, {"outdoor.csv.gz", 4000, 21, 40, 90.25}};
    const char *dir = getenv("TACOS_DATA");
    char path[4096];
    Table table;
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        size_t n_same = 0;
        int length = dir ? snprintf(path, sizeof path, "%s/streams/%s", dir, sets[i].file) : 0;
        if (length <= 0 || (size_t)length >= sizeof path || !exists(path))
            skip();
        assert_succeeds(table_read(&table, path, &ahead, &err));
        assert_int_equal(table.n_rows, sets[i].n_rows);
        assert_int_equal(table.n_features, sets[i].n_features);
        assert_int_equal(table.classes.n, sets[i].n_classes);
        for (size_t r = 1; r < table.n_rows; r++)
            n_same += table.labels[r] == table.labels[r - 1];
        for (size_t k = 0; k < table.n_rows * table.n_features; k++)
            assert_true(table.values[k] >= 0 && table.values[k] <= 7);
        double repeats = 100.0 * (double)n_same / (double)(table.n_rows - 1);
        assert_true(fabs(repeats - sets[i].repeats) < 0.006);
        table_free(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_same_rows_however_written),
        IN_FOLDER(words_become_numbers),
        IN_FOLDER(headers_are_recognised),
        IN_FOLDER(quotes_follow_the_separator),
        IN_FOLDER(the_label_is_where_one_says),
        IN_FOLDER(a_row_may_lack_its_label),
        IN_FOLDER(errors_name_the_line),
        IN_FOLDER(too_many_labels_are_an_error),
        IN_FOLDER(gzip_is_unpacked),
        cmocka_unit_test(a_stream_is_read_no_further_than_its_row),
        cmocka_unit_test(a_row_of_a_pipe_comes_at_once),
        IN_FOLDER(words_are_found_without_looking_ahead),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(what_is_no_number_is_text),
        cmocka_unit_test(rows_come_from_a_function),
        cmocka_unit_test(what_concerns_all_rows_stops),
        cmocka_unit_test(reads_the_true_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
