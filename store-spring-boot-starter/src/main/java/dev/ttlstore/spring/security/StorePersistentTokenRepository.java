package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;
import org.springframework.util.Assert;

import dev.ttlstore.CompositeKey;
import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.spring.recent.Recent;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Keeps Spring Security's remember-me logins in a store. A login expires if it is not used for a time. The store has
 * the hash of the login's series, and its token, encrypted with a key made from the series. Only the cookie has the
 * series, so a reader of the database cannot log in. Removing all logins of a user reads no logins of other users.
 *
 * <pre>{@code
 * @Bean
 * SecurityFilterChain security(HttpSecurity http, Store store) {
 *     http.rememberMe(rememberMe -> rememberMe.tokenRepository(
 *             new StorePersistentTokenRepository(store, Duration.ofDays(14))));
 *     return http.build();
 * }
 * }</pre>
 *
 * <p>Each change is one commit. Logins belong to no transaction of the application, because the browser already has
 * the new cookie when a transaction is rolled back. Thread-safe.
 *
 * @since 0.1
 * @see StoreRememberMeProperties
 */
public final class StorePersistentTokenRepository implements PersistentTokenRepository {

    /** The group that holds the logins, by the hash of the series. */
    public static final String GROUP = "remember-me";

    /** The group that holds the series of each user. Its keys are the hashes of the user's name and of the series. */
    public static final String USERS = "remember-me-users";

    /**
     * How many ttls an entry of a user's series lives. It is renewed only once per ttl, so it must live for three at least; the fourth is
     * for requests that take long.
     */
    private static final int USERS_TTLS = 4;

    private static final Duration LONGEST_TTL = Duration.ofDays(365_000);

    private static final long MOST_BYTES = 1 << 20;

    private final LiveKeyspace store;
    private final Group<RememberedLogin> logins;
    private final TextGroup users;
    private final Duration ttl;
    private final Expiry expiry;

    /** Logins that were read and will be updated now. */
    private final Recent<Seen> recent = new Recent<>(MOST_BYTES, seen -> 2L * seen.username.length());

    /**
     * What an update needs to know of a login that was read. It is made only if the login still has the version.
     *
     * @param version its version
     * @param username its user
     * @param lastUsed when it was last used; null if somebody has made it permanent
     * @param readAt when it was read, by the store's clock
     * @param nanos when that was by this JVM
     */
    private record Seen(
            long version, String username, @Nullable Instant lastUsed, Instant readAt, long nanos) {}

    /**
     * Creates the repository.
     *
     * @param store the store or scope that holds the logins
     * @param ttl how long a login is kept since it was last used; at least as long as the application's remember-me tokens are valid
     * @throws IllegalArgumentException if the ttl is not more than zero
     */
    public StorePersistentTokenRepository(LiveKeyspace store, Duration ttl) {
        this.store = OutsideTransaction.of(store);
        this.logins = this.store.group(GROUP, RememberedLogin.CODEC);
        this.users = this.store.group(USERS);
        this.ttl = Objects.requireNonNull(ttl, "'ttl' must not be null");
        this.expiry = Expiry.after(ttl);
    }

    /**
     * Stores a login.
     *
     * @param token the login
     * @throws IllegalArgumentException if its series exists, or one of its parts is null
     */
    @Override
    public void createNewToken(PersistentRememberMeToken token) {
        Assert.notNull(token, "'token' must not be null");
        Assert.notNull(token.getUsername(), "'token' must have the name of a user");
        Assert.notNull(token.getSeries(), "'token' must have a series");
        Assert.notNull(token.getTokenValue(), "'token' must have a value");
        Assert.notNull(token.getDate(), "'token' must have a date");
        RememberedLogin login = RememberedLogin.of(
                token.getUsername(), token.getDate(), SealedToken.seal(token.getTokenValue(), token.getSeries()));
        String series = Hash.of(token.getSeries());
        boolean created = withUser(store.batch().requireAbsent(logins, series), series, login)
                .write();
        if (!created) {
            throw new IllegalArgumentException("'token' must not have a series that already exists");
        }
    }

    /** Replaces the token of a series and starts its ttl again. Does nothing if there is no such series. */
    @Override
    public void updateToken(@Nullable String series, String tokenValue, Date lastUsed) {
        Assert.notNull(tokenValue, "'tokenValue' must not be null");
        Assert.notNull(lastUsed, "'lastUsed' must not be null");
        if (series == null) {
            return;
        }
        String sealed = SealedToken.seal(tokenValue, series);
        String key = Hash.of(series);
        Seen seen = recent.remove(key); // by the look-up that comes before
        boolean done = seen != null && update(key, seen, lastUsed, sealed);
        while (!done) {
            done = read(key)
                    .map(entry -> update(key, seen(entry), lastUsed, sealed))
                    .orElse(true);
        }
    }

    private boolean update(String series, Seen seen, Date lastUsed, String sealedToken) {
        RememberedLogin login = RememberedLogin.of(seen.username, lastUsed, sealedToken);
        return isUserDue(seen)
                ? withUser(store.batch().requireVersion(logins, series, seen.version), series, login)
                        .write()
                : logins.replaceVersion(series, seen.version, login, expiry).isPresent();
    }

    private WriteBatch withUser(WriteBatch batch, String series, RememberedLogin login) {
        Duration several = ttl.compareTo(LONGEST_TTL) > 0 ? ttl : ttl.multipliedBy(USERS_TTLS);
        return batch.put(logins, series, login, expiry)
                .put(users, ofUser(login.username(), series), "", Expiry.after(several));
    }

    private Seen seen(Entry<RememberedLogin> entry) {
        Instant expiresAt = entry.expiresAt();
        Duration left = entry.ttl();
        return new Seen(
                entry.version(),
                entry.value().username(),
                expiresAt == null ? null : expiresAt.minus(ttl),
                expiresAt == null || left == null ? entry.updatedAt() : expiresAt.minus(left),
                System.nanoTime());
    }

    /** Tests whether this is the first use in another ttl than the last one, by the store's clock. */
    private boolean isUserDue(Seen seen) {
        Instant now = seen.readAt.plusNanos(System.nanoTime() - seen.nanos);
        return seen.lastUsed == null || period(seen.lastUsed) != period(now);
    }

    private long period(Instant time) {
        return Math.floorDiv(time.toEpochMilli(), Math.max(1, ttl.toMillis()));
    }

    /** Returns the login of a series; null if there is none, it has expired, or cannot be read. */
    @Override
    public @Nullable PersistentRememberMeToken getTokenForSeries(@Nullable String seriesId) {
        if (seriesId == null) {
            return null;
        }
        // Not by get: an older token, of a near cache, would count as stolen.
        String key = Hash.of(seriesId);
        return Unreadable.asAbsent(GROUP, () -> logins.entry(key).map(entry -> {
                    PersistentRememberMeToken token = token(seriesId, entry.value());
                    recent.put(key, seen(entry));
                    return token;
                }))
                .orElse(null);
    }

    private static PersistentRememberMeToken token(String series, RememberedLogin login) {
        return new PersistentRememberMeToken(
                login.username(), series, SealedToken.open(login.sealedToken(), series), login.lastUsed());
    }

    /** Removes all logins of a user. */
    @Override
    public void removeUserTokens(@Nullable String username) {
        if (username == null) {
            return;
        }
        WriteBatch batch = store.batch();
        users.keys(CompositeKey.startingWith(Hash.of(username))).forEach(key -> batch.delete(users, key)
                .delete(logins, CompositeKey.parts(key).get(1)));
        boolean unused = batch.write();
    }

    private Optional<Entry<RememberedLogin>> read(String series) {
        return Unreadable.asAbsent(GROUP, () -> logins.entry(series));
    }

    private static String ofUser(String username, String series) {
        return CompositeKey.of(Hash.of(username), series);
    }
}
