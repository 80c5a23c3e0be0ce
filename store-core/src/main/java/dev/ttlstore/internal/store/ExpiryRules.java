package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Row;
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
                (draft, live) -> {
                    ExpiryTime wanted = rule.of(draft, live);
                    ExpiryTime current = live == null ? wanted : draft.expiryOf(live);
                    return now -> Math.max(wanted.from(now), current.from(now));
                };
            case IF_EARLIER ->
                (draft, live) -> {
                    ExpiryTime wanted = rule.of(draft, live);
                    ExpiryTime current = live == null ? wanted : draft.expiryOf(live);
                    return now -> Math.min(wanted.from(now), current.from(now));
                };
        };
    }

    private ExpiryRule unconditional(Expiry expiry) {
        long millis = expiry.millis();
        return switch (expiry.start()) {
            case NOW -> ExpiryTime.afterMillis(millis);
            case EPOCH -> ExpiryTime.at(millis);
            case NEVER -> ExpiryTime.NEVER;
            case GROUP_DEFAULT -> later(standing, millis);
            case CURRENT -> (draft, live) -> later(live == null ? standing : draft.expiryOf(live), millis);
            case CREATION ->
                (draft, live) ->
                        live == null ? ExpiryTime.afterMillis(millis) : ExpiryTime.at(live.createdAt() + millis);
            case UPDATE ->
                (draft, live) ->
                        live == null ? ExpiryTime.afterMillis(millis) : ExpiryTime.at(live.updatedAt() + millis);
        };
    }

    private static ExpiryTime later(ExpiryTime time, long millis) {
        return millis == 0 ? time : now -> later(time.from(now), millis);
    }

    /** Adds to a time, but not beyond the latest one. */
    private static long later(long time, long millis) {
        return time == Row.NEVER || time > Millis.MAX ? time : Math.min(time + millis, Millis.MAX);
    }
}
