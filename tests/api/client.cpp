// client.cpp - the library from C++11 on: a learner that frees itself, an allocator and a watcher of its own; and a
// classifier.
#include <tacos_stream.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Free {
    void operator()(tacos_config *config) const { tacos_config_free(config); }
    void operator()(tacos_learner *learner) const { tacos_learner_free(learner); }
    void operator()(tacos_classifier *classifier) const { tacos_classifier_free(classifier); }
};

void must(tacos_status status, const tacos_error &err) {
    if (status == TACOS_OK)
        return;
    std::fprintf(stderr, "client: %s (%s)\n", err.text, tacos_status_text(status));
    std::exit(EXIT_FAILURE);
}

std::unique_ptr<tacos_learner, Free> make(const tacos_allocator &from) {
    tacos_error err;
    tacos_config *config = nullptr;
    tacos_learner *learner = nullptr;
    must(tacos_config_new(&config, &err), err);
    std::unique_ptr<tacos_config, Free> owner(config);
    must(tacos_config_parse(config, "inputs = 64\nhidden = 48\noutputs = 2\ninit_w = 3\n", "settings", &err), err);
    must(tacos_learner_new(&learner, config, 1, &from, &err), err);
    return std::unique_ptr<tacos_learner, Free>(learner);
}

void *take(void *user, size_t n_bytes, size_t alignment) {
    ++*static_cast<int *>(user);
    return ::aligned_alloc(alignment, n_bytes);
}

void give(void *user, void *memory, size_t) {
    --*static_cast<int *>(user);
    std::free(memory);
}

void count(void *user, const tacos_spikes *spikes) {
    *static_cast<size_t *>(user) += spikes->n;
}

// Two labels that a text tells apart.
bool classifies() {
    tacos_error err;
    tacos_classifier *classifier = nullptr;
    must(tacos_classifier_new(&classifier, "small", 1, &err), err);
    std::unique_ptr<tacos_classifier, Free> owner(classifier);
    tacos_answer answer;
    for (int k = 0; k < 40; k++) {
        const double number = k % 5;
        const double numbers[] = {number, 0.0};
        const char *const texts[] = {nullptr, k % 2 ? "red" : "blue"};
        const tacos_sample sample = {numbers, texts, 2};
        must(tacos_classifier_next(classifier, &sample, k % 2 ? "warm" : "cold", &answer, &err), err);
    }
    return tacos_classifier_n_labels(classifier) == 2 && answer.label >= 0 &&
           std::string("warm") == tacos_classifier_label(classifier, static_cast<size_t>(answer.label));
}

} // namespace

int main() {
    int held = 0;
    size_t spikes = 0;
    {
        tacos_error err;
        const tacos_allocator from = {take, give, &held};
        const auto learner = make(from);
        tacos_prediction answer;
        tacos_layer_view view;
        std::vector<float> sample(64, 0.0f);
        for (size_t i = 0; i < 32; i++)
            sample[i] = 1.0f;
        tacos_learner_watch(learner.get(), count, &spikes);
        for (int k = 0; k < 20; k++)
            must(tacos_learner_learn(learner.get(), sample.data(), sample.size(), 1, &err), err);
        must(tacos_learner_predict(learner.get(), sample.data(), sample.size(), 0, &answer, &err), err);
        must(tacos_learner_layer(learner.get(), 0, &view, &err), err);
        if (answer.output != 1 || tacos_layer_m(&view, 0, 0) < 0 || held != 1 || spikes == 0) {
            std::fprintf(stderr, "client: answer %d, %d blocks, %zu spikes\n", answer.output, held, spikes);
            return EXIT_FAILURE;
        }
        if (tacos_learner_learn(learner.get(), sample.data(), 63, 1, &err) != TACOS_INVALID)
            return EXIT_FAILURE;
    }
    return held == 0 && classifies() && std::string(tacos_version()) == TACOS_VERSION_STRING ? 0 : EXIT_FAILURE;
}
