package dev.ttlstore.sample.web;

import java.util.HashMap;
import java.util.Map;

import org.springframework.stereotype.Component;

/**
 * Limits how many request bodies are read at the same time, because each occupies a thread while its client sends it.
 * Without this, clients that send slowly would stop the application.
 */
@Component
class Uploads {

    private final int limit;
    private final int limitPerClient;
    private final Map<String, Integer> running = new HashMap<>();
    private int total;

    Uploads(SecretsProperties properties) {
        this.limit = properties.uploads();
        this.limitPerClient = properties.uploadsPerClient();
    }

    /** Admits an upload, which must {@link #end} later. Returns false if there are too many. */
    synchronized boolean begin(String client) {
        if (total >= limit || running.getOrDefault(client, 0) >= limitPerClient) {
            return false;
        }
        total++;
        running.merge(client, 1, Integer::sum);
        return true;
    }

    synchronized void end(String client) {
        total--;
        running.compute(client, (any, count) -> count == null || count == 1 ? null : count - 1);
    }
}
