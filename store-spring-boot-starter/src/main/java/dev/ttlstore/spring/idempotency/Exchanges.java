package dev.ttlstore.spring.idempotency;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.spring.idempotency.Exchange.RecordedResponse;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * The exchanges that are stored: those of known owners in one scope, all others in another. If the store fails after a request has taken
 * effect, its client gets the answer nevertheless, and the failure is logged. Thread-safe.
 */
final class Exchanges {

    static final String GROUP = "idempotency";
    static final String SCOPE = "idempotency";
    static final String ANONYMOUS_SCOPE = "idempotency-anonymous";

    private static final Logger log = LoggerFactory.getLogger(Exchanges.class);

    private final Group<Exchange> known;
    private final Group<Exchange> anonymous;
    private final OwnerSizes sizes;
    private final IdempotencySettings settings;

    Exchanges(Store store, IdempotencySettings settings) {
        LiveKeyspace owned = scope(store, SCOPE, settings.maxSize());
        this.known = owned.group(GROUP, Exchange.CODEC);
        this.anonymous =
                scope(store, ANONYMOUS_SCOPE, settings.maxAnonymousSize()).group(GROUP, Exchange.CODEC);
        this.sizes = new OwnerSizes(owned, settings.maxOwnerSize(), settings.ttl());
        this.settings = settings;
    }

    private static LiveKeyspace scope(Store store, String name, long maxBytes) {
        Objects.requireNonNull(store, "'store' must not be null");
        return OutsideTransaction.of(store.scope(name, new Quota(0, 0, maxBytes)));
    }

    /**
     * Where an exchange is stored.
     *
     * @param exchanges the group
     * @param key the key in the group
     * @param owner a hash of the owner; null if nobody knows it
     */
    record ExchangeLocation(
            Group<Exchange> exchanges, String key, @Nullable String owner) {}

    /**
     * The claim of a request that runs.
     *
     * @param location where its exchange is stored
     * @param version the version of the entry, by which the request knows whether it has lost the claim
     * @param head what tells the request from others, beside its body
     */
    record Claim(ExchangeLocation location, long version, String head) {}

    /**
     * Returns the location of a request.
     *
     * @param owner whose request it is; null or empty if nobody knows
     * @param key its key
     */
    ExchangeLocation location(@Nullable String owner, String key) {
        return owner == null || owner.isEmpty()
                ? new ExchangeLocation(anonymous, new Hasher().add("").add(key).hex(), null)
                : new ExchangeLocation(
                        known,
                        new Hasher().add(owner).add(key).hex(),
                        new Hasher().add(owner).hex());
    }

    /** Tests whether there is room for one more exchange of its owner. */
    boolean hasRoom(ExchangeLocation location) {
        if (location.owner() == null
                || !sizes.isFull(location.owner())
                || location.exchanges().contains(location.key())) {
            return true;
        }
        log.warn(
                "A request with an Idempotency-Key was refused, because the answers to its owner take more than {} bytes"
                        + " ('store.idempotency.max-owner-size')",
                settings.maxOwnerSize());
        return false;
    }

    /**
     * Claims a location for a request.
     *
     * @return the claim; null if another request has it
     * @throws QuotaExceededException if there is no room
     */
    @Nullable
    Claim claim(ExchangeLocation location, String head) {
        Exchange running = new Exchange(head, null, null);
        OptionalLong version = location.exchanges().putIfAbsent(location.key(), running, settings.runningTimeout());
        return version.isPresent() ? new Claim(location, version.getAsLong(), head) : null;
    }

    /** Finds an exchange that can be read. */
    Optional<Exchange> find(ExchangeLocation location) {
        try {
            return location.exchanges().entry(location.key()).map(Entry::value);
        } catch (CodecException | SealedValueException e) {
            log.warn("The answer to a request cannot be repeated. {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Stores the answer, without its body if that is too large for the store. If it cannot be stored at all, nobody else runs the request
     * until the running timeout.
     */
    void keep(Claim claim, @Nullable Body body, RecordedResponse answer) {
        try {
            try {
                if (answer.body() == null) {
                    log.warn(
                            "The answer to a request with an Idempotency-Key cannot be repeated, because it is a stream or larger"
                                    + " than {} bytes ('store.idempotency.max-answer-size')",
                            settings.maxAnswerSize());
                }
                store(claim, body, answer);
            } catch (ValueTooLargeException | QuotaExceededException e) {
                log.warn("The answer to a request with an Idempotency-Key cannot be repeated. {}", e.getMessage());
                store(claim, body, answer.withoutBody());
            }
        } catch (StoreException e) {
            log.error(
                    "The answer to a request with an Idempotency-Key could not be stored, so it cannot be repeated", e);
        }
    }

    private void store(Claim claim, @Nullable Body body, RecordedResponse answer) {
        ExchangeLocation location = claim.location();
        if (location.owner() != null) {
            sizes.add(location.owner(), answer);
        }
        Exchange exchange = new Exchange(claim.head(), body, answer);
        if (location.exchanges()
                .replaceVersion(location.key(), claim.version(), exchange, settings.ttl())
                .isEmpty()) {
            log.warn(
                    "A request with an Idempotency-Key has taken longer than {}, so its answer cannot be repeated, and the"
                            + " same request may have taken effect once more; raise 'store.idempotency.running-timeout'",
                    settings.runningTimeout());
        }
    }

    /** Gives up the claim of a request that has not taken effect. */
    void release(Claim claim) {
        try {
            boolean unused =
                    claim.location().exchanges().deleteVersion(claim.location().key(), claim.version());
        } catch (StoreException e) {
            log.error(
                    "The Idempotency-Key of a request that has not taken effect could not be freed, so requests with it"
                            + " get 409 for up to {} ('store.idempotency.running-timeout')",
                    settings.runningTimeout(),
                    e);
        }
    }
}
