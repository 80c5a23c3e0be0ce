package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.List;

import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;
import org.springframework.util.unit.DataSize;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Attempts;
import dev.ttlstore.sample.web.Clients;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;
import dev.ttlstore.sample.web.Sizes;

import tools.jackson.databind.json.JsonMapper;

/**
 * Says who may create secrets, how many, how large, and for how long. Without these rules, anyone could use up the quota of a team,
 * and keep it used up for as long as a secret lives. They do not apply to someone who has logged in.
 */
@Service
class CreationRules {

    private static final Duration WINDOW = Duration.ofHours(1);

    private final Attempts attempts;
    private final Attempts bytes;
    private final Clients clients;
    private final Duration maxTtl;
    private final int limit;
    private final DataSize byteLimit;
    private final List<String> loginTeams;
    private final JsonMapper json;

    CreationRules(Store store, Clients clients, SecretsProperties properties, JsonMapper json, Now now) {
        this.limit = properties.createLimit();
        this.attempts = new Attempts(store.counters("create-attempts"), limit, WINDOW, now);
        this.byteLimit = properties.createBytes();
        this.bytes = new Attempts(store.counters("create-bytes"), byteLimit.toBytes(), WINDOW, now);
        this.clients = clients;
        this.maxTtl = properties.maxTtl().compareTo(Secrets.MAX_TTL) < 0 ? properties.maxTtl() : Secrets.MAX_TTL;
        this.loginTeams = properties.loginTeams();
        this.json = json;
    }

    /** Returns for how long after its creation the sender of the current request may keep a secret. */
    Duration longest() {
        return isLoggedIn() ? Secrets.MAX_TTL : maxTtl;
    }

    /**
     * Admits a new secret of the current request, and counts it.
     *
     * @throws Refusal if its sender may not create it
     */
    void admit(String team, NewSecret.Checked secret) {
        if (isLoggedIn()) {
            return;
        }
        if (loginTeams.contains(team)) {
            throw Refusal.of(
                    HttpStatus.UNAUTHORIZED,
                    "Team " + team + " takes secrets only from people who have logged in; nothing was stored. Log in,"
                            + " and try again.");
        }
        if (secret.ttl().compareTo(maxTtl) > 0) {
            throw Refusal.of("ttl", "must be at most " + inWords(maxTtl) + " without a login");
        }
        String client = client();
        attempts.admit(
                client,
                "A client may create " + limit
                        + " secrets per hour without a login; nothing was stored. Wait, or log in.");
        // Counts what the quota of the team counts: a short text may be long in JSON.
        bytes.admit(
                client,
                json.writeValueAsBytes(secret.value()).length,
                "A client may create secrets of " + Sizes.of(byteLimit.toBytes())
                        + " in all per hour without a login; nothing was stored. Wait, or log in.");
    }

    /** Formats a duration for a message: in days, if it is whole days. */
    static String inWords(Duration duration) {
        long days = duration.toDays();
        return !duration.equals(Duration.ofDays(days)) ? duration.toString() : days == 1 ? "1 day" : days + " days";
    }

    private String client() {
        ServletRequestAttributes current = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
        return clients.at(current.getRequest().getRemoteAddr());
    }

    private static boolean isLoggedIn() {
        return new AuthenticationTrustResolverImpl()
                .isAuthenticated(SecurityContextHolder.getContext().getAuthentication());
    }
}
