/* make_corpus.c - writes tests/fuzz/corpus: small good files of every kind, from which libFuzzer
 * starts. Run it again where a format changes. */
#include "fuzz.h"

#include "commands/safetensors.h"
#include "data/catalog/catalog.h"
#include "data/formats/formats.h"
#include "plan/run_folder.h"
#include "repair.h"
#include "tacos_stream.h"
#include "../unit/tone.h"
#include "tiny_checkpoint.h"

#include <math.h>
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
    {"tasks", "names", "cat\ndog\nt-shirt\n7\ncat-dog, \"t-shirt\"-\"7\""},
    {"tasks", "random", "random:5x2:seed"},
    {"tasks", "mixed", "up\ndown\n0-dwon,1-2"},
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
    {"csv", "floats", "0,0.5,1\n1.0,1e-3,0.25\n"},
    {"csv", "mark",
     "\xef\xbb\xbf"
     "label,1x1,\"b c\"\n1,2,3\n"},
    {"csv", "utf16",
     "\xff\xfe"
     "1,2\n"},
    {"table", "numbers", "a,b,label\n1,2.5,x\n-3e2,,y\n"},
    {"table", "words", "colour;\"size\";class\nred;1,5;\"a \"\"b\"\"\nc\"\n?;NA;\n"},
    {"table", "tabs",
     "\xef\xbb\xbf"
     "1\t2\tx\r\n\r\n3\t4\ty"},
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
    images = npy("|u1", "1, 1, 2, 3", bytes, sizeof bytes);
    save_parts("npy", "colour", &images, &labels);
    images = idx_images();
    labels = idx_labels();
    save_parts("idx", "plain", &images, &labels);
    images = gzip(&images);
    save_parts("idx", "gzip", &images, &labels);
}

/* A WAV file of a few samples, the bytes of which count up. */
static Bin wav(uint64_t channels, uint64_t bits, size_t n) {
    Bin bin = {.n = 0};
    uint64_t frame = channels * bits / 8;
    add_text(&bin, "RIFF");
    add_word(&bin, 36 + n, 4);
    add_text(&bin, "WAVEfmt ");
    add_word(&bin, 16, 4);
    add_word(&bin, 1, 2);
    add_word(&bin, channels, 2);
    add_word(&bin, 8000, 4);
    add_word(&bin, 8000 * frame, 4);
    add_word(&bin, frame, 2);
    add_word(&bin, bits, 2);
    add_text(&bin, "data");
    add_word(&bin, n, 4);
    for (size_t i = 0; i < n; i++)
        add_word(&bin, (37 * i) & 0xff, 1);
    return bin;
}

static void save_sounds(void) {
    Bin mono = wav(1, 16, 800), stereo = wav(2, 24, 60), bytes = wav(1, 8, 10);
    save("wav", "mono", mono.bytes, mono.n);
    save("wav", "stereo", stereo.bytes, stereo.n);
    save("wav", "bytes", bytes.bytes, bytes.n);
}

/* A record, in a file and, twice, zipped. */
static void save_cifar(void) {
    enum { RECORD = 1 + CIFAR_SIDE * CIFAR_SIDE * COLOURS };
    Bin records = {.n = 0};
    uint8_t record[RECORD] = {7, 255, 128};
    add(&records, record, sizeof record);
    save_bin("cifar", "one", &records);
    add(&records, record, sizeof record);
    Bin zipped = gzip(&records);
    save_bin("cifar", "gzip", &zipped);
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

/* Samples that are all different, of every output in turn. */
static void learn_some(tacos_learner *learner, size_t n_samples) {
    tacos_shape shape = tacos_learner_shape(learner);
    float intensity[8];
    HOLDS(shape.n_inputs <= sizeof intensity / sizeof *intensity);
    for (size_t k = 0; k < n_samples; k++) {
        for (size_t j = 0; j < shape.n_inputs; j++)
            intensity[j] = (float)((k + 1) * (j + 2) * (j + k) % 11) / 10;
        HOLDS(tacos_learner_learn(learner, intensity, shape.n_inputs, k % shape.n_outputs, NULL) ==
              TACOS_OK);
    }
}

static void save_learner(const char *name, const char *text, size_t n_samples) {
    tacos_config *config;
    tacos_learner *learner;
    Bin bin = {.n = 0};
    HOLDS(tacos_config_new(&config, NULL) == TACOS_OK);
    HOLDS(tacos_config_parse(config, text, "corpus", NULL) == TACOS_OK);
    HOLDS(tacos_learner_new(&learner, config, 1, NULL, NULL) == TACOS_OK);
    learn_some(learner, n_samples);
    HOLDS(tacos_learner_save_to(learner, keep, &bin, NULL) == TACOS_OK);
    save_bin("learner", name, &bin);
    bin.n = 0;
    if (tacos_learner_save_small(learner, keep, &bin, NULL) == TACOS_OK)
        save_bin("small", name, &bin);
    tacos_learner_free(learner);
    tacos_config_free(config);
}

/* Two numbers and a text, some of them missing; more labels as it goes on, now and then none. */
static void save_classifier(const char *name, const char *const *keys, size_t n_samples) {
    static const char *const labels[] = {"a", "b", "\xc3\xa9"}, *const words[] = {"red", "",
                                                                                  "blue"};
    tacos_classifier *classifier;
    Bin bin = {.n = 0};
    HOLDS(tacos_classifier_new(&classifier, NULL, 1, NULL) == TACOS_OK);
    for (; keys[0]; keys += 2)
        HOLDS(tacos_classifier_set(classifier, keys[0], keys[1], NULL) == TACOS_OK);
    for (size_t k = 0; k < n_samples; k++) {
        size_t label = k % (k < 6 ? 2 : 3);
        const double numbers[3] = {(double)label * 1e3 + (double)(k % 4), k % 5 ? -0.5 : NAN, NAN};
        bool text = k % 7 && strcmp(name, "signal") != 0;
        const char *const colour[3] = {NULL, NULL, text ? words[label] : NULL};
        HOLDS(tacos_classifier_next(classifier, &(tacos_sample){numbers, colour, 3},
                                    k % 6 == 4 ? NULL : labels[label], NULL, NULL) == TACOS_OK);
    }
    HOLDS(tacos_classifier_save_to(classifier, keep, &bin, NULL) == TACOS_OK);
    save_bin("classifier", name, &bin);
    tacos_classifier_free(classifier);
}

/* Of a sound, once in the warm-up and once after it. */
static void save_hearing(const char *name, const char *warm_up) {
    static const char path[] = "/tmp/tacos-corpus.wav";
    const double none = 0;
    const char *const text = path;
    tacos_classifier *classifier;
    Bin bin = {.n = 0};
    HOLDS(tone_write(path, 300, 900));
    HOLDS(tacos_classifier_new(&classifier, NULL, 1, NULL) == TACOS_OK);
    HOLDS(tacos_classifier_set(classifier, "warm_up", warm_up, NULL) == TACOS_OK);
    HOLDS(tacos_classifier_set(classifier, "column_units", "8", NULL) == TACOS_OK);
    HOLDS(tacos_classifier_set(classifier, "encoder_bands", "3", NULL) == TACOS_OK);
    HOLDS(tacos_classifier_set(classifier, "encoder_frames", "4", NULL) == TACOS_OK);
    for (int k = 0; k < 4; k++)
        HOLDS(tacos_classifier_next(classifier, &(tacos_sample){&none, &text, 1}, "a", NULL,
                                    NULL) == TACOS_OK);
    HOLDS(tacos_classifier_save_to(classifier, keep, &bin, NULL) == TACOS_OK);
    save_bin("classifier", name, &bin);
    tacos_classifier_free(classifier);
    (void)remove(path);
}

static void save_classifiers(void) {
    static const char *const warming[] = {"warm_up", "30", "column_units", "12", NULL};
    static const char *const over[] = {
        "warm_up", "8", "column_units", "16", "encoder_fields", "3", "encoder_trends", "4,9", NULL};
    static const char *const tacos[] = {"warm_up",
                                        "8",
                                        "model",
                                        "tacos",
                                        "hidden",
                                        "4",
                                        "steps",
                                        "6",
                                        "outputs",
                                        "3",
                                        "encoder_categories",
                                        "2",
                                        NULL};
    static const char *const signal[] = {
        "warm_up", "8", "encoder", "signal", "encoder_window", "4", "column_units", "16", NULL};
    save_classifier("signal", signal, 20);
    save_classifier("unlabelled", warming, 0);
    save_classifier("warm-up", warming, 11);
    save_classifier("words", over, 40);
    save_classifier("tacos", tacos, 20);
    save_hearing("sounds-warm-up", "9");
    save_hearing("sounds", "3");
}

static void save_checkpoint(const char *name, const char *model) {
    TinyRun tiny = {0};
    size_t n;
    tiny_open(&tiny, model);
    uint8_t *bytes = tiny_checkpoint(&tiny, &n);
    Repair repair = {bytes, n, OWNER_BYTES};
    memset(bytes + OWNER_BYTES + 16, 0, 16); /* how long it took, which is never the same */
    tiny_repair_state(&tiny, &repair);
    save("checkpoint", name, bytes, n);
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
    tiny_open(&tiny, "tacos");
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

/* The table of a part, whose words are markup. */
static void save_numbers(void) {
    static const char text[] =
        "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n"
        "memory mnist: 16 kB,MA,0,0,5,92.5,0.25,,,\n"
        "memory mnist: 16 kB,kilobytes,0,0,5,15.95,0,,,\n"
        "memory mnist: 64 kB 5 looks,MA,0,0,5,97,0.1,,,\n"
        "memory mnist: 64 kB 5 looks,kilobytes,0,0,5,64,0,,,\n"
        "class mnist: <i>,MA,0,0,1,81.8,0,82,1,match\n"
        "class mnist: <i>,kilobytes,0,0,1,31.4,0,,,\n"
        "class fashion: fly,MA,0,0,1,76,0,,,\n"
        "class fashion: fly,kilobytes,0,0,1,1e3,0,,,\n"
        "class fashion: none,MA,0,0,0,,,,,\n";
    save("numbers", "columns", text, sizeof text - 1);
}

#define COLUMNS "model = columns\ninputs = 6\noutputs = 2\nsteps = 5\ncolumn_units = 6\n"

static int put(void *user, const void *bytes, size_t n) {
    add(user, bytes, n);
    return 0;
}

/* Their names are elements of HTML. */
static const char *name_label(void *user, size_t label) {
    (void)user;
    return label == 1 ? "<i>" : NULL;
}

static void save_document(const tacos_evaluation *evaluation) {
    tacos_evaluation_about about = {"<i>", "columns", name_label, NULL};
    char *text;
    size_t n;
    HOLDS(tacos_evaluation_json(evaluation, &about, &text, &n, NULL) == TACOS_OK);
    save("stream", "stream", text, n);
    tacos_evaluation_json_free(text);
}

/* A label that appears, answers of all kinds, a drift alarm and rows. */
static void save_evaluation(void) {
    tacos_evaluation_options options = {.window = 20, .max_labels = 5, .report_every = 50};
    tacos_evaluation *evaluation;
    Bin bin = {.n = 0};
    HOLDS(tacos_evaluation_new(&evaluation, &options, NULL) == TACOS_OK);
    for (size_t k = 0; k < 224; k++) {
        size_t label = k / 4 % (k < 100 ? 2 : 3);
        int answer = k < 10 ? -1 : k < 150 || k % 7 == 0 ? (int)label : 0;
        HOLDS(tacos_evaluation_add(evaluation, label, answer, k % 9 == 0, NULL) == TACOS_OK);
        if (tacos_evaluation_due(evaluation))
            (void)tacos_evaluation_report(evaluation, 1, 64);
    }
    HOLDS(tacos_evaluation_drift_get(evaluation).alarms > 0);
    HOLDS(tacos_evaluation_save_to(evaluation, put, &bin, NULL) == TACOS_OK);
    save_bin("evaluation", "stream", &bin);
    save_document(evaluation);
    tacos_evaluation_free(evaluation);
}

int main(int argc, char **argv) {
    if (argc != 2 || argv[1][0] == '-') {
        (void)fprintf(stderr, "usage: make_corpus FOLDER\n");
        return 2;
    }
    root = argv[1];
    (void)mkdir(root, 0777);
    save_texts();
    save_arrays();
    save_sounds();
    save_cifar();
    save_pictures();
    save_zips();
    save_events();
    save_learner("tacos", "inputs = 4\noutputs = 2\nhidden = 3\nsteps = 5\n", 0);
    save_learner("snn", "inputs = 2\noutputs = 2\nhidden = none\nsteps = 3\nmodel = snn\n", 0);
    save_learner("columns", COLUMNS "input_shape = 2,3\n", 30);
    save_learner("columns-values", COLUMNS, 30);
    save_learner("columns-vector", COLUMNS "column_input = spikes\n", 3);
    save_classifiers();
    save_checkpoint("run", "tacos");
    save_checkpoint("columns", "columns");
    save_evaluation();
    save_tensors();
    save_results();
    save_numbers();
    return 0;
}
