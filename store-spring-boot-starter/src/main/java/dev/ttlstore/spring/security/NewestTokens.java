package dev.ttlstore.spring.security;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;

/** The newest one-time token of each user, which ends the one before. Of tokens that are generated at once, the last to commit stays. */
final class NewestTokens {

    /** The group that holds the keys of the tokens, by the hash of the user's name. */
    static final String GROUP = "one-time-token-users";

    private static final Logger log = LoggerFactory.getLogger(NewestTokens.class);

    private final Keyspace store;
    private final TextGroup newest;
    private final Group<String> tokens;

    NewestTokens(Keyspace store, Group<String> tokens) {
        this.store = store;
        this.newest = store.group(GROUP);
        this.tokens = tokens;
    }

    /** Puts a token, and deletes the one before. */
    void put(String key, String username, Expiry expiry) {
        String user = Hash.of(username);
        boolean done = false;
        while (!done) {
            WriteBatch batch = store.batch().put(tokens, key, username, expiry).put(newest, user, key, expiry);
            endOlder(batch, user);
            done = batch.write();
        }
    }

    /** Lets the batch fail if another token of the user comes between. */
    private void endOlder(WriteBatch batch, String user) {
        try {
            Entry<String> older = newest.entry(user).orElse(null);
            if (older == null) {
                batch.requireAbsent(newest, user);
            } else {
                batch.requireVersion(newest, user, older.version()).delete(tokens, older.value());
            }
        } catch (CodecException | SealedValueException e) {
            log.warn(
                    "The older token of a user stays, because its entry in '{}' cannot be read. {}",
                    GROUP,
                    e.getMessage());
        }
    }
}
