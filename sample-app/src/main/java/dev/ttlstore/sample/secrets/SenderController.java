package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.Invalid;
import dev.ttlstore.sample.web.Refusal;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** The actions of the sender's page. The cookie decides which secrets it sees and changes. */
@RestController
@RequestMapping(path = "/page", consumes = MediaType.APPLICATION_JSON_VALUE)
class SenderController {

    private final Secrets secrets;
    private final SentSecrets sent;
    private final SenderCookie cookie;

    SenderController(Secrets secrets, SentSecrets sent, SenderCookie cookie) {
        this.secrets = secrets;
        this.sent = sent;
        this.cookie = cookie;
    }

    /** The key of the link, which is shown only once, and the id by which the page refers to the secret. */
    record Created(String key, String id, Instant expiresAt) {

        /** Omits the key, because frameworks may log what they write. */
        @Override
        public String toString() {
            return "Created[expiresAt=" + expiresAt + "]";
        }
    }

    record OfTeam(@Nullable String team) {}

    record Composed(
            @Nullable String team,
            @Nullable String value,
            @Nullable String ttl,
            @Nullable Boolean newTeam,
            @Nullable String passphrase,
            @Nullable Integer views,
            @Nullable Boolean sealed) {

        NewSecret secret() {
            return new NewSecret(value, ttl, passphrase, views, sealed, newTeam);
        }

        /** Omits the value, because frameworks may log what they read. */
        @Override
        public String toString() {
            return "Composed[team=" + team + ", ttl=" + ttl + "]";
        }
    }

    record Own(@Nullable String team, @Nullable String id) {}

    record Longer(
            @Nullable String team,
            @Nullable String id,
            @Nullable String by) {}

    record Extended(Instant expiresAt) {}

    @PostMapping("/secrets")
    @ResponseStatus(HttpStatus.CREATED)
    Created create(@RequestBody Composed composed, HttpServletRequest request, HttpServletResponse response) {
        Invalid.Collector invalid = new Invalid.Collector();
        String team = Team.check(composed.team(), invalid);
        NewSecret.Checked checked = composed.secret().check(invalid);
        invalid.throwIfAny();
        SenderCookie.Holder holder = cookie.knownOrNew(request);
        Secrets.Kept kept = secrets.keep(team, checked, holder.sender());
        cookie.set(holder, request, response); // not if it was refused: a late refusal must not replace a newer cookie
        return new Created(kept.key(), SecretKeys.stored(kept.key()), kept.expiresAt());
    }

    /** Lists secrets without a cookie for those who have none: an answer that is late must not replace a newer cookie. */
    @PostMapping("/sent")
    SentSecrets.Newest sent(@RequestBody OfTeam of, HttpServletRequest request) {
        String team = Team.check(of.team());
        return cookie.known(request).map(known -> sent.of(known, team)).orElse(SentSecrets.Newest.NONE);
    }

    @PostMapping("/extend")
    Extended extend(@RequestBody Longer longer, HttpServletRequest request) {
        Invalid.Collector invalid = new Invalid.Collector();
        String team = Team.check(longer.team(), invalid);
        Duration by = NewSecret.checkDuration("by", longer.by(), invalid);
        invalid.throwIfAny();
        return new Extended(secrets.extend(team, sender(request), id(longer.id()), by));
    }

    @PostMapping("/delete")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@RequestBody Own own, HttpServletRequest request) {
        secrets.delete(Team.check(own.team()), sender(request), id(own.id()));
    }

    private Sender sender(HttpServletRequest request) {
        return cookie.known(request).orElseThrow(Refusal::noSuchSecret);
    }

    /** Returns the id if it is well-formed; anything else does not reach the store. */
    private static String id(@Nullable String id) {
        if (id == null || !id.matches("[0-9a-f]{32}")) {
            throw Refusal.noSuchSecret();
        }
        return id;
    }
}
