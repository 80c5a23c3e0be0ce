package dev.ttlstore.sample.secrets;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Attempts;
import dev.ttlstore.sample.web.Hashes;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;

/**
 * Hashes and checks the passphrases of secrets. Whoever has a link may guess, so guesses are limited per secret: in a
 * minute, and in all. A wrong guess does not use up the secret, but the last one deletes it.
 */
@Component
class Passphrases {

    private static final int GUESSES_PER_MINUTE = 5;
    private static final int GUESSES = 20;
    /** The number of guesses before the last one from which on a reader is warned. */
    private static final int WARNED = 3;

    private static final String WRONG = "wrong-passphrases";

    private final BCryptPasswordEncoder encoder = new BCryptPasswordEncoder();
    private final Attempts perMinute;
    private final Attempts inAll;

    Passphrases(Store store, Now now) {
        this.perMinute =
                new Attempts(store.counters("passphrase-guesses"), GUESSES_PER_MINUTE, Duration.ofMinutes(1), now);
        this.inAll = new Attempts(store.counters(WRONG), GUESSES, Secret.MAX_TTL, now);
    }

    @Nullable
    String hash(@Nullable String passphrase) {
        return passphrase == null ? null : encoder.encode(shortened(passphrase));
    }

    /**
     * Checks a passphrase, if the secret has one.
     *
     * @param delete deletes the secret, after too many wrong passphrases
     * @throws Refusal if it is missing or wrong, or if there were too many guesses
     */
    void check(String id, Secret secret, @Nullable String passphrase, Runnable delete) {
        if (secret.passphrase() == null) {
            return;
        }
        if (passphrase == null || passphrase.isEmpty()) {
            throw refused("This secret takes a passphrase. Ask its sender. It is still unread.");
        }
        perMinute.admit(id, "There were too many wrong passphrases. Nothing was used up. Wait, and try again.");
        // They may be used up already, if the application was killed before it could delete the secret.
        if (!inAll.isUsedUp(id)) {
            if (encoder.matches(shortened(passphrase), secret.passphrase())) {
                perMinute.uncount(id);
                return;
            }
            inAll.count(id);
        }
        if (inAll.isUsedUp(id)) {
            delete.run();
            throw refused("The passphrase is wrong. There were " + GUESSES
                    + " wrong ones, so the secret was deleted. Its sender sees that.");
        }
        long left = inAll.left(id);
        throw refused("The passphrase is wrong. The secret is still unread."
                + (left > WARNED
                        ? ""
                        : " After " + left + " more wrong " + (left == 1 ? "one" : "ones") + " it is deleted."));
    }

    /** Forgets the guesses for a secret that is gone. */
    void forget(Keyspace keyspace, String id) {
        keyspace.counters(WRONG).delete(id);
    }

    private static Refusal refused(String detail) {
        return Refusal.of(HttpStatus.UNPROCESSABLE_CONTENT, detail).titled("Passphrase missing or wrong");
    }

    /** Hashes a passphrase first, because bcrypt takes 72 bytes. */
    private static String shortened(String passphrase) {
        return Hashes.of(passphrase);
    }
}
