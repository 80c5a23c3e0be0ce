package dev.ttlstore.spring.session;

import java.time.Duration;
import java.util.Objects;

import org.springframework.session.FlushMode;
import org.springframework.session.IndexResolver;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.UuidSessionIdGenerator;

import dev.ttlstore.Codec;

/**
 * Settings of sessions in a store.
 *
 * @param timeout how long a session lives after an access, unless it sets another interval; negative for ever
 * @param saveMode which attributes a request writes: those that it set; also those that it read and changed; or all that
 *     changed
 * @param flushMode when changes are written: at the end of the request, or at once
 * @param attributes encodes and decodes the attributes
 * @param indexes finds the values by which a session can be found
 * @param ids makes the ids
 * @since 0.1
 * @see StoreSessionRepository
 */
public record StoreSessionSettings(
        Duration timeout,
        SaveMode saveMode,
        FlushMode flushMode,
        Codec<Object> attributes,
        IndexResolver<Session> indexes,
        SessionIdGenerator ids) {

    /**
     * Checks the settings.
     *
     * @param timeout how long a session lives after an access
     * @param saveMode which attributes a request writes
     * @param flushMode when changes are written
     * @param attributes encodes and decodes the attributes
     * @param indexes finds the values by which a session can be found
     * @param ids makes the ids
     */
    public StoreSessionSettings {
        Objects.requireNonNull(timeout, "'timeout' must not be null");
        Objects.requireNonNull(saveMode, "'saveMode' must not be null");
        Objects.requireNonNull(flushMode, "'flushMode' must not be null");
        Objects.requireNonNull(attributes, "'attributes' must not be null");
        Objects.requireNonNull(indexes, "'indexes' must not be null");
        Objects.requireNonNull(ids, "'ids' must not be null");
    }

    /**
     * Returns settings whose changes are written at the end of the request, with the attributes that it has set. Sessions are found by
     * the name of their user, and have random ids.
     *
     * @param timeout how long a session lives after an access; negative for ever
     * @param attributes encodes and decodes the attributes
     * @return the settings
     */
    public static StoreSessionSettings of(Duration timeout, Codec<Object> attributes) {
        return new StoreSessionSettings(
                timeout,
                SaveMode.ON_SET_ATTRIBUTE,
                FlushMode.ON_SAVE,
                attributes,
                new PrincipalNameIndexResolver<>(),
                UuidSessionIdGenerator.getInstance());
    }

    /**
     * Returns the same settings with other modes.
     *
     * @param save which attributes a request writes
     * @param flush when changes are written
     * @return the settings
     */
    public StoreSessionSettings withModes(SaveMode save, FlushMode flush) {
        return new StoreSessionSettings(timeout, save, flush, attributes, indexes, ids);
    }
}
