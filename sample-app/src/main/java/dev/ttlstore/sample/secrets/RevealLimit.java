package dev.ttlstore.sample.secrets;

import java.time.Duration;

import org.springframework.stereotype.Service;

import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Attempts;
import dev.ttlstore.sample.web.Clients;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;

import jakarta.servlet.http.HttpServletRequest;

/** Limits how often a client may ask for secrets, whether they exist or not. */
@Service
class RevealLimit {

    private final Attempts attempts;
    private final Clients clients;

    RevealLimit(Store store, Clients clients, SecretsProperties properties, Now now) {
        this.attempts =
                new Attempts(store.counters("reveal-attempts"), properties.revealLimit(), Duration.ofMinutes(1), now);
        this.clients = clients;
    }

    /**
     * Counts an attempt.
     *
     * @throws Refusal if there were too many in this minute
     */
    void attempt(HttpServletRequest request) {
        attempts.admit(
                clients.at(request.getRemoteAddr()),
                "A client may request " + attempts.limit()
                        + " secrets per minute. Nothing was used up. Wait, and try again.");
    }
}
