package dev.ttlstore.spring.security;

import java.util.Set;

import dev.ttlstore.Entry;

/**
 * What this instance knows of an authorization that it may change now.
 *
 * @param version its version; 0 if it seems to be new, less if its version is not known
 * @param tokenKeys the keys of its tokens, as far as they are known
 */
record SeenAuthorization(long version, Set<String> tokenKeys) {

    /** It was never read here, as a new one. */
    static final SeenAuthorization NEW = new SeenAuthorization(0, Set.of());

    /** It was written here. */
    static final SeenAuthorization WRITTEN = new SeenAuthorization(-1, Set.of());

    private static final long OVERHEAD = 80;

    static SeenAuthorization of(Entry<StoredAuthorization> entry) {
        return new SeenAuthorization(entry.version(), entry.value().tokenKeys());
    }

    boolean isNew() {
        return version == 0;
    }

    boolean isVersionKnown() {
        return version >= 0;
    }

    /** Returns how much memory it takes. */
    long bytes() {
        return tokenKeys.stream().mapToLong(key -> OVERHEAD + 2L * key.length()).sum();
    }
}
