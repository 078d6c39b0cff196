/* make_corpus.c - writes tests/fuzz/corpus: small good files of every kind, from which libFuzzer
 * starts. Run it again where a format changes. */
#include "fuzz.h"

#include "commands/safetensors.h"
#include "data/catalog/catalog.h"
#include "plan/run_folder.h"
#include "repair.h"
#include "tiny_checkpoint.h"

#include <png.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <zip.h>
#include <zlib.h>

enum { ROOM = 1 << 14 };

typedef struct Bin {
    uint8_t bytes[ROOM];
    size_t n;
} Bin;

static void add(Bin *bin, const void *bytes, size_t n) {
    HOLDS(n <= ROOM - bin->n);
    memcpy(bin->bytes + bin->n, bytes, n);
    bin->n += n;
}

static void add_text(Bin *bin, const char *text) {
    add(bin, text, strlen(text));
}

/* The lowest byte first. */
static void add_word(Bin *bin, uint64_t value, size_t n) {
    for (size_t k = 0; k < n; k++)
        add(bin, &(uint8_t){(uint8_t)(value >> (8 * k))}, 1);
}

static const char *root;

static void save(const char *target, const char *name, const void *bytes, size_t n) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", root, target);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof path, "%s/%s/%s", root, target, name);
    FILE *file = fopen(path, "wb");
    HOLDS(file && fwrite(bytes, 1, n, file) == n);
    HOLDS(fclose(file) == 0);
}

static void save_bin(const char *target, const char *name, const Bin *bin) {
    save(target, name, bin->bytes, bin->n);
}

/* Two files as parts_of takes them apart. */
static void save_parts(const char *target, const char *name, const Bin *one, const Bin *two) {
    Bin both = {.n = 0};
    add_word(&both, one->n, 2);
    add(&both, one->bytes, one->n);
    add(&both, two->bytes, two->n);
    save_bin(target, name, &both);
}

/* ---- texts ---- */

static const struct {
    const char *target, *name, *text;
} texts[] = {
    {"config", "small",
     "# a comment\ninputs = 4\noutputs = 2\nhidden = 3, 5\nsteps = 10 # more\n\n"
     "model = snn+metaplasticity\nlearning_rate = 1e-3\n"},
    {"config", "none", "hidden = none\n"},
    {"plan", "experiment",
     "# an experiment\ndataset = glyphs\ntasks = 0-1,2-3\nhidden = 20\nscenario = class\n"},
    {"plan", "grid",
     "experiment = demo\nseeds = 1,3,7-9\nm_max = choice(5 | 10)\n[one]\nhidden = integer(10, 20, 2)\n"
     "[two]\nmodel = snn\n"},
    {"plan", "halving",
     "experiment = demo\nseeds = 2\nsampling = sobol\nconfigurations = 5\nvalidation = 0.1\n"
     "halving = 2\nrungs = 2\nm_max = log(1, 10)\ndelta_m_hidden = times(0.1, m_max)\ninit_w = linear(0.3, 1),2\n"},
    {"csv", "plain", "3,0,10,20,255\n0,1,2,3,4\n"},
    {"csv", "names", "label,a,b,c,d\n\n4095, 1 ,2,\t3,4\r\n"},
    {"csv", "mark",
     "\xef\xbb\xbf"
     "label,1x1,\"b c\"\n1,2,3\n"},
    {"csv", "utf16",
     "\xff\xfe"
     "1,2\n"},
    {"sample_line", "first", "A2,0,128,255"},
    {"sample_line", "last", "B0.5; 1e1 ;255,3"},
    {"sample_line", "none", "C1,2,3"},
    {"sample_line", "json", "A{\"x\": [0, 25.5, 255], \"y\": 1}"},
    {"sample_line", "names",
     "A\xef\xbb\xbf"
     "label,a,\"1x1\";_\r\n2,0,128,255\n"},
    {"sample_line", "utf16",
     "A\xfe\xff"
     "2,0\n"},
};

static void save_texts(void) {
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        save(texts[i].target, texts[i].name, texts[i].text, strlen(texts[i].text));
}

/* ---- images ---- */

static Bin idx_images(void) {
    static const uint8_t header[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2};
    Bin bin = {.n = 0};
    add(&bin, header, sizeof header);
    add(&bin, "\x01\x02\x03\x04", 4);
    return bin;
}

static Bin idx_labels(void) {
    static const uint8_t header[] = {0, 0, 8, 1, 0, 0, 0, 2};
    Bin bin = {.n = 0};
    add(&bin, header, sizeof header);
    add(&bin, "\x07\x09", 2);
    return bin;
}

static Bin gzip(const Bin *plain) {
    Bin out = {.n = 0};
    z_stream stream = {.next_in = (Bytef *)plain->bytes,
                       .avail_in = (uInt)plain->n,
                       .next_out = out.bytes,
                       .avail_out = ROOM};
    HOLDS(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    HOLDS(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.n = stream.total_out;
    (void)deflateEnd(&stream);
    return out;
}

static Bin npy(const char *descr, const char *shape, const void *elements, size_t n) {
    Bin bin = {.n = 0};
    char header[128];
    int used = snprintf(header, sizeof header,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape);
    add(&bin, "\x93NUMPY\x01\x00", 8);
    add_word(&bin, (uint64_t)used, 2);
    add_text(&bin, header);
    add(&bin, elements, n);
    return bin;
}

static void save_arrays(void) {
    static const uint8_t bytes[] = {0, 1, 2, 3, 4, 255};
    static const float floats[] = {0, 1, 0.5F, 0.25F, 0, 0};
    static const int64_t wide[] = {300};
    static const uint8_t narrow[] = {5};
    Bin images = npy("|u1", "1, 2, 3", bytes, sizeof bytes);
    Bin labels = npy("<i8", "1,", wide, sizeof wide);
    save_parts("npy", "bytes", &images, &labels);
    images = npy("<f4", "1, 6", floats, sizeof floats);
    labels = npy("|u1", "1,", narrow, sizeof narrow);
    save_parts("npy", "floats", &images, &labels);
    images = idx_images();
    labels = idx_labels();
    save_parts("idx", "plain", &images, &labels);
    images = gzip(&images);
    save_parts("idx", "gzip", &images, &labels);
}

/* ---- zip files ---- */

typedef struct Entry {
    const char *name;
    const Bin *bin;
    bool stored;
} Entry;

static void save_zip(const char *target, const char *name, const Entry *entries, size_t n) {
    zip_source_t *buffer = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_t *zip = zip_open_from_source(buffer, ZIP_TRUNCATE, NULL);
    Bin out = {.n = 0};
    HOLDS(zip);
    zip_source_keep(buffer);
    for (size_t i = 0; i < n; i++) {
        zip_source_t *source = zip_source_buffer(zip, entries[i].bin->bytes, entries[i].bin->n, 0);
        zip_int64_t at = zip_file_add(zip, entries[i].name, source, 0);
        zip_uint64_t place = (zip_uint64_t)at;
        HOLDS(at >= 0 && zip_file_set_mtime(zip, place, 946684800, 0) == 0);
        HOLDS(zip_set_file_compression(zip, place,
                                       entries[i].stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 9) == 0);
    }
    HOLDS(zip_close(zip) == 0 && zip_source_open(buffer) == 0);
    out.n = (size_t)zip_source_read(buffer, out.bytes, ROOM);
    HOLDS(out.n < ROOM);
    zip_source_free(buffer);
    save_bin(target, name, &out);
}

static Bin png(png_uint_32 format, size_t height, size_t width, const void *pixels,
               const void *palette) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = format,
                       .colormap_entries = 2};
    Bin out = {.n = ROOM};
    HOLDS(png_image_write_to_memory(&image, out.bytes, &out.n, 0, pixels, 0, palette));
    return out;
}

static void save_pictures(void) {
    static const uint8_t pixels[32] = {255, 0, 1, 2, 128, 64}, index[] = {1, 0, 0, 1};
    static const uint8_t palette[] = {0, 0, 0, 255, 255, 0};
    static const struct {
        const char *name;
        png_uint_32 format;
    } kinds[] = {{"grey", PNG_FORMAT_GRAY},
                 {"grey-alpha", PNG_FORMAT_GA},
                 {"colour", PNG_FORMAT_RGB},
                 {"colour-alpha", PNG_FORMAT_RGBA},
                 {"deep", PNG_FORMAT_LINEAR_Y}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Bin picture = png(kinds[i].format, 2, 2, pixels, NULL);
        save_bin("png", kinds[i].name, &picture);
    }
    Bin picture = png(PNG_FORMAT_RGB_COLORMAP, 2, 2, index, palette);
    save_bin("png", "palette", &picture);
}

static void save_zips(void) {
    static const uint8_t bytes[] = {0, 1, 2, 3, 4, 255}, label[] = {5};
    static uint8_t paper[OMNIGLOT_DRAWING_SIDE * OMNIGLOT_DRAWING_SIDE];
    Bin images = npy("|u1", "1, 2, 3", bytes, sizeof bytes);
    Bin labels = npy("|u1", "1,", label, sizeof label);
    const Entry arrays[] = {{"images.npy", &images, false}, {"labels.npy", &labels, true}};
    const Entry plain[] = {{"images.npy", &images, true}, {"labels.npy", &labels, true}};
    save_zip("npz", "two", arrays, 2);
    save_zip("npz", "stored", plain, 2);
    memset(paper, 255, sizeof paper);
    memset(paper + sizeof paper / 2, 0, 50);
    Bin drawing = png(PNG_FORMAT_GRAY, OMNIGLOT_DRAWING_SIDE, OMNIGLOT_DRAWING_SIDE, paper, NULL);
    const Entry drawings[] = {{"box/Alpha/character01/0001_01.png", &drawing, true},
                              {"box/Alpha/character01/0001_02.png", &drawing, false}};
    save_zip("omniglot", "two", drawings, 2);
}

/* ---- events ---- */

static void save_events(void) {
    static const uint8_t bin[] = {1, 2, 0x80, 0, 9, 5, 240, 0, 0, 0, 33, 33, 0x01, 0x11, 0x22};
    Bin aedat = {.n = 0};
    save("events", "nmnist", bin, sizeof bin);
    add_text(&aedat, "#!AER-DAT3.1\r\n#Format: RAW\r\n#Source 1: DVS128\r\n#!END-HEADER\r\n");
    for (uint64_t type = 0; type < 2; type++) {
        add_word(&aedat, type | 1 << 16, 4);
        add_word(&aedat, 8, 4); /* bytes an event */
        add_word(&aedat, 4, 4); /* where its time is */
        add_word(&aedat, type, 4);
        add_word(&aedat, 2, 4);
        add_word(&aedat, 2, 4);
        add_word(&aedat, 2, 4);
        add_word(&aedat, 3 << 17 | 5 << 2 | 3, 4);
        add_word(&aedat, 1000, 4);
        add_word(&aedat, 33 << 17 | 33 << 2 | 1, 4);
        add_word(&aedat, 2500, 4);
    }
    save_bin("events", "aedat", &aedat);
}

/* ---- what was learned ---- */

static int keep(void *user, const void *bytes, size_t n) {
    add(user, bytes, n);
    return 0;
}

static void save_learner(const char *name, const char *text) {
    tacos_config *config;
    tacos_learner *learner;
    Bin bin = {.n = 0};
    HOLDS(tacos_config_new(&config, NULL) == TACOS_OK);
    HOLDS(tacos_config_parse(config, text, "corpus", NULL) == TACOS_OK);
    HOLDS(tacos_learner_new(&learner, config, 1, NULL, NULL) == TACOS_OK);
    HOLDS(tacos_learner_save_to(learner, keep, &bin, NULL) == TACOS_OK);
    save_bin("learner", name, &bin);
    tacos_learner_free(learner);
    tacos_config_free(config);
}

static void save_checkpoint(void) {
    TinyRun tiny = {0};
    size_t n;
    tiny_open(&tiny);
    uint8_t *bytes = tiny_checkpoint(&tiny, &n);
    Repair repair = {bytes, n, OWNER_BYTES};
    memset(bytes + OWNER_BYTES + 16, 0, 16); /* how long it took, which is never the same */
    repair_part(&repair, STATE_BYTES);
    save("checkpoint", "run", bytes, n);
    free(bytes);
    tiny_close(&tiny);
}

static void save_tensors(void) {
    static TensorFile tensors;
    float w[] = {1, 2, 3, 4, 5, 6};
    uint16_t m[] = {7, 8, 9, 10, 11, 12};
    char path[512];
    tacos_error err = {0};
    tensors.about = json_pack("{s:s}", "format", "tacos");
    tensors.tensors[0] = (Tensor){"layer.0.w", TENSOR_F32, 2, 3, w};
    tensors.tensors[1] = (Tensor){"layer.0.m_steps", TENSOR_U16, 3, 2, m};
    tensors.n = 2;
    (void)snprintf(path, sizeof path, "%s/safetensors", root);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof path, "%s/safetensors/two", root);
    HOLDS(tensors_write(&tensors, path, &err) == TACOS_OK);
    json_decref(tensors.about);
}

/* ---- results ---- */

/* results.json of the tiny run, from a folder that goes at once. */
static json_t *tiny_results(void) {
    TinyRun tiny = {0};
    OutputFolder folder = {.path = "/tmp/tacos-fuzz-XXXXXX", .n_wanted = 1};
    char json[sizeof folder.path + 16], csv[sizeof folder.path + 16];
    tacos_run run;
    HOLDS(mkdtemp(folder.path));
    tiny_open(&tiny);
    HOLDS(tiny_run(&tiny, NULL, 0, &run, NULL) == TACOS_OK);
    run.train_seconds = run.test_seconds = 0.5; /* which are never the same */
    RunSubject what = {&tiny.settled, tiny.split, tiny.settled};
    HOLDS(run_folder_write(&folder, &what, &(Results){1, &run}, NULL) == TACOS_OK);
    (void)snprintf(json, sizeof json, "%s/results.json", folder.path);
    (void)snprintf(csv, sizeof csv, "%s/accuracy.csv", folder.path);
    json_t *results = json_load_file(json, 0, NULL);
    HOLDS(results && unlink(json) == 0 && unlink(csv) == 0 && rmdir(folder.path) == 0);
    run_free(&run);
    tiny_close(&tiny);
    return results;
}

static void save_json(const char *target, const char *name, const json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    HOLDS(text);
    save(target, name, text, strlen(text));
    free(text);
}

/* As it is; and with measures, a second seed, a newer program's key and words that are markup. */
static void save_results(void) {
    json_t *results = tiny_results(), *runs = json_object_get(results, "runs");
    save_json("results", "run", results);
    json_t *measures = json_pack("[{s:s,s:i,s:i,s:f}]", "name", "similarity", "after_task", 1,
                                 "part", 0, "value", 0.25);
    HOLDS(json_object_set_new(json_array_get(runs, 0), "measures", measures) == 0);
    json_t *other = json_deep_copy(json_array_get(runs, 0));
    HOLDS(json_object_set_new(other, "seed", json_integer(2)) == 0);
    HOLDS(json_array_append_new(runs, other) == 0);
    HOLDS(json_object_set_new(json_object_get(results, "config"), "new<i>", json_real(0.1)) == 0);
    HOLDS(json_object_set_new(results, "experiment", json_string("<i>\"&'")) == 0);
    HOLDS(json_object_set_new(results, "status", json_string("partial")) == 0);
    save_json("results", "two", results);
    json_decref(results);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        (void)fprintf(stderr, "usage: make_corpus FOLDER\n");
        return 2;
    }
    root = argv[1];
    (void)mkdir(root, 0777);
    save_texts();
    save_arrays();
    save_pictures();
    save_zips();
    save_events();
    save_learner("tacos", "inputs = 4\noutputs = 2\nhidden = 3\nsteps = 5\n");
    save_learner("snn", "inputs = 2\noutputs = 2\nhidden = none\nsteps = 3\nmodel = snn\n");
    save_checkpoint();
    save_tensors();
    save_results();
    return 0;
}
