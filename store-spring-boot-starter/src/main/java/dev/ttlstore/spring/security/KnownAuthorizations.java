package dev.ttlstore.spring.security;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Entry;
import dev.ttlstore.spring.recent.Recent;

/** What this instance knows of authorizations, so that those that it has found are changed and found again without a look. Thread-safe. */
final class KnownAuthorizations {

    private static final long MOST_BYTES = 2 << 20;

    private final Recent<SeenAuthorization> seen = new Recent<>(MOST_BYTES, SeenAuthorization::bytes);

    /** The keys of authorizations, by the keys of those tokens that no other authorization ever has. */
    private final Recent<String> places = new Recent<>(MOST_BYTES, key -> 2L * key.length());

    /** Notes an authorization that was read. */
    void found(String key, Entry<StoredAuthorization> entry) {
        seen.put(key, SeenAuthorization.of(entry));
    }

    /** Notes that an authorization has a token. */
    void found(String tokenKey, String key) {
        if (StoredAuthorization.isUnique(tokenKey)) {
            places.put(tokenKey, key);
        }
    }

    /** Notes an authorization that was written. */
    void written(String key, Collection<String> tokenKeys) {
        seen.put(key, SeenAuthorization.WRITTEN);
        tokenKeys.forEach(token -> found(token, key));
    }

    /** Returns an authorization that is to be changed, and forgets it; null if it was neither read nor written here. */
    @Nullable
    SeenAuthorization changing(String key) {
        return seen.remove(key);
    }

    /** Returns the keys of authorizations that have had tokens, by the keys of these, and forgets them. */
    Map<String, String> places(Collection<String> tokenKeys) {
        Map<String, String> found = new HashMap<>();
        for (String token : tokenKeys) {
            String key = places.remove(token);
            if (key != null) {
                found.put(token, key);
            }
        }
        return found;
    }
}
