package dev.ttlstore.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

/** Answers a write that exceeds a team's quota with the limit, and with the time when the next secret expires. */
@Component
class QuotaProblems {

    private final Teams teams;
    private final Now now;

    QuotaProblems(Teams teams, Now now) {
        this.teams = teams;
        this.now = now;
    }

    ResponseEntity<ProblemDetail> problem(QuotaExceededException e) {
        Amounts limits = e.limits();
        ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.TOO_MANY_REQUESTS);
        problem.setTitle("Quota used up");
        problem.setProperty("team", e.namespace());
        problem.setProperty("maxSecrets", limits.keys());
        problem.setProperty("maxBytes", limits.bytes());
        String limit = "Team " + e.namespace() + " may have " + limit(limits) + "; nothing was stored. ";
        Instant asked = now.get();
        Optional<Instant> room = nextEnd(e.namespace(), asked);
        if (room.isEmpty()) {
            problem.setDetail(limit + "This secret alone exceeds the limit.");
            return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS).body(problem);
        }
        problem.setDetail(
                limit + "There is room when a secret is read, or when the next expires, at " + room.get() + ".");
        problem.setProperty("roomAt", room.get());
        return Problems.later(problem, Duration.between(asked, room.get()));
    }

    private Optional<Instant> nextEnd(String team, Instant from) {
        try (Stream<ExpiringEntry> ends =
                teams.scope(team).expiring(from, from.plus(Secrets.MAX_TTL).plusSeconds(60))) {
            return ends.findFirst().map(ExpiringEntry::expiresAt);
        }
    }

    private static String limit(Amounts limits) {
        String secrets = limits.keys() + " unread secrets";
        String bytes = Sizes.of(limits.bytes());
        if (limits.bytes() == 0) {
            return secrets;
        }
        return limits.keys() == 0 ? bytes + " of unread secrets" : secrets + ", " + bytes + " in total";
    }
}
