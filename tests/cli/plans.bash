# plans.bash - a small plan, and what a store holds, for the tests that compare stores.

# Large enough that outputs spike, small enough for a moment; m grows so fast that m_max matters.
plan() { # LINE...
    printf '%s\n' "experiment = demo" "hidden = 20" "steps = 80" "tasks = 0-1,2-3" \
        "samples_per_task = 100" "test_samples_per_task = 30" "delta_m_hidden = 1" "seeds = 2" \
        "m_max = choice(5 | 25)" "model = choice(tacos | snn)" "$@"
}

# Everything in a store but times and hosts, row by row, identifiers included.
contents() { # STORE
    sqlite3 "$1" "SELECT * FROM config; SELECT * FROM setting; SELECT * FROM data;
        SELECT id, config, data, seed, status, error, tasks, A, MA, BWT, FWT, FWT_gem, forgetting,
            MO, learning_samples, learning_input_spikes, learning_hidden_spikes,
            learning_output_spikes, learning_error_spikes, learning_synaptic_events,
            learning_error_updates, learning_decay_updates, predicting_samples,
            predicting_input_spikes, predicting_hidden_spikes, predicting_output_spikes,
            predicting_synaptic_events, model_bytes, workspace_bytes, baseline_bytes,
            model_digest, program_version FROM run;
        SELECT * FROM accuracy; SELECT * FROM measure; SELECT * FROM answer"
}
