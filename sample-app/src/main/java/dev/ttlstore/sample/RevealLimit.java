package dev.ttlstore.sample;

import org.springframework.stereotype.Service;

import dev.ttlstore.Store;

import jakarta.servlet.http.HttpServletRequest;

/** Limits how often a client may ask for secrets, whether they exist or not. */
@Service
class RevealLimit {

    private final Attempts attempts;
    private final Clients clients;
    private final int limit;

    RevealLimit(Store store, Clients clients, SecretsProperties properties, Now now) {
        this.limit = properties.revealLimit();
        this.attempts = new Attempts(store.counters("reveal-attempts"), limit, now);
        this.clients = clients;
    }

    /**
     * Counts an attempt.
     *
     * @throws TooManyAttemptsException if there were too many in this minute
     */
    void attempt(HttpServletRequest request) {
        attempts.count(clients.at(request.getRemoteAddr())).ifPresent(wait -> {
            throw new TooManyAttemptsException(limit, wait);
        });
    }
}
