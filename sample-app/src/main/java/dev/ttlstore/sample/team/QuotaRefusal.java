package dev.ttlstore.sample.team;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.http.HttpStatus;

import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Scope;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.Sizes;

/** Refuses a write that exceeds a team's quota: with the limit, and the time when the next secret expires. */
final class QuotaRefusal {

    private QuotaRefusal() {}

    static Refusal of(QuotaExceededException e, Scope scope, Instant now, Duration longest) {
        Amounts limits = e.limits();
        String limit = "Team " + e.namespace() + " may have " + limit(limits) + "; nothing was stored. ";
        Optional<Instant> room = nextEnd(scope, now, longest);
        String detail = room.map(
                        at -> limit + "There is room when a secret is read, or when the next expires, at " + at + ".")
                .orElse(limit + "This secret alone exceeds the limit.");
        Refusal refusal = Refusal.of(HttpStatus.TOO_MANY_REQUESTS, detail)
                .titled("Quota used up")
                .with("team", e.namespace())
                .with("maxSecrets", limits.keys())
                .with("maxBytes", limits.bytes());
        return room.map(at -> refusal.with("roomAt", at).retryAfter(Duration.between(now, at)))
                .orElse(refusal);
    }

    private static Optional<Instant> nextEnd(Scope scope, Instant from, Duration longest) {
        try (Stream<ExpiringEntry> ends =
                scope.expiring(from, from.plus(longest).plusSeconds(60))) {
            return ends.findFirst().map(ExpiringEntry::expiresAt);
        }
    }

    private static String limit(Amounts limits) {
        String secrets = limits.keys() + (limits.keys() == 1 ? " unread secret" : " unread secrets");
        String bytes = Sizes.of(limits.bytes());
        if (limits.bytes() == 0) {
            return secrets;
        }
        return limits.keys() == 0 ? bytes + " of unread secrets" : secrets + ", " + bytes + " in total";
    }
}
