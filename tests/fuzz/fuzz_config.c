/* fuzz_config.c - a learner's configuration as text: what is read can be written and read again. */
#include "fuzz_images.h"

static void write_and_read(const tacos_config *config) {
    tacos_config *other;
    tacos_key_info key;
    char value[2048], again[2048];
    HOLDS(tacos_config_new(&other, NULL) == TACOS_OK);
    for (size_t i = 0; tacos_key(i, &key); i++) {
        if (!tacos_key_of_learner(&key))
            continue;
        HOLDS(tacos_config_get(config, key.name, value, sizeof value, NULL) == TACOS_OK);
        HOLDS(tacos_config_set(other, key.name, value, NULL) == TACOS_OK);
        HOLDS(tacos_config_get(other, key.name, again, sizeof again, NULL) == TACOS_OK);
        HOLDS(strcmp(value, again) == 0);
    }
    tacos_config_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *text = text_of(bytes, n);
    tacos_config *config;
    tacos_error err = {0};
    HOLDS(tacos_config_new(&config, NULL) == TACOS_OK);
    tacos_status status = tacos_config_parse(config, text, "fuzz", &err);
    if (status == TACOS_OK)
        write_and_read(config);
    else
        check_failure(status, &err);
    tacos_config_free(config);
    free(text);
    return 0;
}
