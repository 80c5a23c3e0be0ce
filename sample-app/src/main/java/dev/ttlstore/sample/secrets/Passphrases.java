package dev.ttlstore.sample.secrets;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Attempts;
import dev.ttlstore.sample.web.Hashes;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;

/**
 * Hashes and checks the passphrases of secrets. Whoever has a link may guess, so guesses are limited per secret and
 * minute. A wrong guess does not use up the secret.
 */
@Component
class Passphrases {

    private static final int GUESSES = 5;

    private final BCryptPasswordEncoder encoder = new BCryptPasswordEncoder();
    private final Attempts guesses;

    Passphrases(Store store, Now now) {
        this.guesses = new Attempts(store.counters("passphrase-guesses"), GUESSES, Duration.ofMinutes(1), now);
    }

    @Nullable
    String hash(@Nullable String passphrase) {
        return passphrase == null ? null : encoder.encode(shortened(passphrase));
    }

    /**
     * Checks a passphrase, if the secret has one.
     *
     * @throws Refusal if it is missing or wrong, or if there were too many guesses
     */
    void check(String id, Secret secret, @Nullable String passphrase) {
        if (secret.passphrase() == null) {
            return;
        }
        if (passphrase == null || passphrase.isEmpty()) {
            throw refused("This secret takes a passphrase. Ask its sender. It is still unread.");
        }
        guesses.count(id).ifPresent(wait -> {
            throw Refusal.of(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "There were too many wrong passphrases. Nothing was used up. Wait, and try again.")
                    .retryAfter(wait);
        });
        if (!encoder.matches(shortened(passphrase), secret.passphrase())) {
            throw refused("The passphrase is wrong. The secret is still unread.");
        }
        guesses.uncount(id);
    }

    private static Refusal refused(String detail) {
        return Refusal.of(HttpStatus.UNPROCESSABLE_CONTENT, detail).titled("Passphrase missing or wrong");
    }

    /** Hashes a passphrase first, because bcrypt takes 72 bytes. */
    private static String shortened(String passphrase) {
        return Hashes.of(passphrase);
    }
}
