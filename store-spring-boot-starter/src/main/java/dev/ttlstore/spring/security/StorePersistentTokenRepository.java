package dev.ttlstore.spring.security;

import java.time.Duration;
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
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Keeps Spring Security's remember-me logins in a store. A login expires if it is not used for a time. The store has
 * the hash of the login's series, and its token, encrypted with a key made from the series. Only the cookie has the
 * series, so a reader of the database cannot log in. Removing all logins of a user reads no logins of other users.
 *
 * <pre>{@code
 * http.rememberMe(rememberMe -> rememberMe.tokenRepository(
 *         new StorePersistentTokenRepository(store, Duration.ofDays(14))));
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

    private final LiveKeyspace store;
    private final Group<RememberedLogin> logins;
    private final TextGroup users;
    private final Expiry expiry;

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
        this.expiry = Expiry.after(Objects.requireNonNull(ttl, "'ttl' must not be null"));
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
        boolean created =
                put(store.batch().requireAbsent(logins, series), series, login).write();
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
        boolean done = false;
        while (!done) {
            done = read(key).map(entry -> update(key, entry, lastUsed, sealed)).orElse(true);
        }
    }

    private boolean update(String series, Entry<RememberedLogin> before, Date lastUsed, String sealedToken) {
        RememberedLogin login = RememberedLogin.of(before.value().username(), lastUsed, sealedToken);
        return put(store.batch().requireVersion(logins, series, before.version()), series, login)
                .write();
    }

    private WriteBatch put(WriteBatch batch, String series, RememberedLogin login) {
        return batch.put(logins, series, login, expiry).put(users, ofUser(login.username(), series), "", expiry);
    }

    /** Returns the login of a series; null if there is none, it has expired, or cannot be read. */
    @Override
    public @Nullable PersistentRememberMeToken getTokenForSeries(@Nullable String seriesId) {
        if (seriesId == null) {
            return null;
        }
        // Not by get: an older token, of a near cache, would count as stolen.
        return Unreadable.asAbsent(GROUP, () -> logins.entry(Hash.of(seriesId))
                        .map(Entry::value)
                        .map(login -> new PersistentRememberMeToken(
                                login.username(),
                                seriesId,
                                SealedToken.open(login.sealedToken(), seriesId),
                                login.lastUsed())))
                .orElse(null);
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
