package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.internal.commit.ExpiryRule;
import dev.ttlstore.internal.commit.ExpiryTime;

/** Converts the expiry that a caller asks for to the rule of a commit. */
final class ExpiryRules {

    private final ExpiryTime standing;

    /**
     * Creates the rules of a group.
     *
     * @param ttl the group's default ttl; null if it has none
     */
    ExpiryRules(@Nullable Duration ttl) {
        this.standing = ttl == null ? ExpiryTime.NEVER : ExpiryTime.after(ttl);
    }

    /** Returns the rule for a write that puts a value, so that the entry's last update is now. */
    ExpiryRule ofPut(Expiry expiry) {
        Objects.requireNonNull(expiry, "'expiry' must not be null");
        return expiry.start() == Expiry.Start.UPDATE
                ? of(new Expiry(Expiry.Start.NOW, expiry.millis(), expiry.condition()))
                : of(expiry);
    }

    /** Returns the rule for a write that changes nothing but the expiry. */
    ExpiryRule of(Expiry expiry) {
        Objects.requireNonNull(expiry, "'expiry' must not be null");
        ExpiryRule rule = unconditional(expiry);
        return switch (expiry.condition()) {
            case ALWAYS -> rule;
            case IF_LATER ->
                (live, current) -> {
                    ExpiryTime wanted = rule.of(live, current);
                    return live == null ? wanted : wanted.orLater(current);
                };
            case IF_EARLIER ->
                (live, current) -> {
                    ExpiryTime wanted = rule.of(live, current);
                    return live == null ? wanted : wanted.orEarlier(current);
                };
        };
    }

    private ExpiryRule unconditional(Expiry expiry) {
        long millis = expiry.millis();
        return switch (expiry.start()) {
            case NOW -> ExpiryTime.afterMillis(millis);
            case EPOCH -> ExpiryTime.at(millis);
            case NEVER -> ExpiryTime.NEVER;
            case GROUP_DEFAULT -> standing.plus(millis);
            case CURRENT -> (live, current) -> (live == null ? standing : current).plus(millis);
            case CREATION ->
                (live, current) ->
                        live == null ? ExpiryTime.afterMillis(millis) : ExpiryTime.at(live.createdAt() + millis);
            case UPDATE ->
                (live, current) ->
                        live == null ? ExpiryTime.afterMillis(millis) : ExpiryTime.at(live.updatedAt() + millis);
        };
    }
}
