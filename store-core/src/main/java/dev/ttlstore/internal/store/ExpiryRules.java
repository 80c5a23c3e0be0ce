package dev.ttlstore.internal.store;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryRule.Bound;
import dev.ttlstore.engine.ExpiryRule.Start;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Row;

/** Converts the expiry that a caller asks for to the rule of a commit. */
final class ExpiryRules {

    private final ExpiryRule standing;

    /** The ttl of an entry that there was not before; {@link Row#NEVER} if it has none. */
    private final long standingMillis;

    /**
     * Creates the rules of a group.
     *
     * @param ttl the group's default ttl; null if it has none
     */
    ExpiryRules(@Nullable Duration ttl) {
        this.standingMillis = ttl == null ? Row.NEVER : Millis.ofTtl(ttl, "ttl");
        this.standing = ttl == null ? ExpiryRule.NEVER : ExpiryRule.afterMillis(standingMillis);
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
        long millis = expiry.millis();
        Bound bound =
                switch (expiry.condition()) {
                    case ALWAYS -> Bound.NONE;
                    case IF_LATER -> Bound.LATER;
                    case IF_EARLIER -> Bound.EARLIER;
                };
        return switch (expiry.start()) {
            case NOW -> rule(Start.NOW, millis, bound);
            case EPOCH -> rule(Start.AT, millis, bound);
            case NEVER -> rule(Start.NEVER, 0, bound);
            case GROUP_DEFAULT -> ofGroup(millis, bound);
            case CURRENT -> rule(Start.CURRENT, millis, bound);
            case CREATION -> rule(Start.CREATION, millis, bound);
            case UPDATE -> rule(Start.UPDATE, millis, bound);
        };
    }

    private ExpiryRule ofGroup(long millis, Bound bound) {
        if (millis == 0 && bound == Bound.NONE) {
            return standing;
        }
        return standingMillis == Row.NEVER
                ? rule(Start.NEVER, 0, bound)
                : rule(Start.NOW, Math.min(standingMillis + millis, Millis.MAX), bound);
    }

    private ExpiryRule rule(Start start, long millis, Bound bound) {
        return new ExpiryRule(start, millis, standingMillis, bound);
    }
}
