package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.List;

import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.ttlstore.Store;
import dev.ttlstore.sample.team.Teams;
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
    private static final String PER_HOUR = " per hour without a login; nothing was stored. Wait, or log in.";

    private final Attempts attempts;
    private final Attempts bytes;
    private final Attempts newTeams;
    private final Teams teams;
    private final Clients clients;
    private final Duration maxTtl;
    private final List<String> loginTeams;
    private final JsonMapper json;

    CreationRules(Store store, Teams teams, Clients clients, SecretsProperties properties, JsonMapper json, Now now) {
        this.attempts = new Attempts(store.counters("create-attempts"), properties.createLimit(), WINDOW, now);
        this.bytes = new Attempts(
                store.counters("create-bytes"), properties.createBytes().toBytes(), WINDOW, now);
        this.newTeams = new Attempts(
                store.counters("team-attempts"), properties.otherTeams().createLimit(), WINDOW, now);
        this.teams = teams;
        this.clients = clients;
        this.maxTtl = properties.maxTtl().compareTo(Secret.MAX_TTL) < 0 ? properties.maxTtl() : Secret.MAX_TTL;
        this.loginTeams = properties.loginTeams();
        this.json = json;
    }

    /** Returns for how long after its creation the sender of the current request may keep a secret. */
    Duration longest() {
        return isLoggedIn() ? Secret.MAX_TTL : maxTtl;
    }

    /**
     * Admits a new secret of the current request, and counts it.
     *
     * @throws Refusal if its sender may not create it
     */
    void admit(String team, NewSecret.Checked secret) {
        boolean isLimited = !isLoggedIn();
        if (isLimited) {
            check(team, secret.ttl());
        }
        boolean isNew = !teams.isKnown(team);
        if (isNew && !secret.newTeam()) {
            throw Refusal.of(
                            HttpStatus.CONFLICT,
                            "There is no team " + team
                                    + " yet, and nothing was stored. Check its name, or confirm that it is right.")
                    .titled("Unknown team")
                    .with("confirmWith", "newTeam");
        }
        if (isLimited) {
            count(secret.value(), isNew);
        }
        teams.admit(team);
    }

    private void check(String team, Duration ttl) {
        if (loginTeams.contains(team)) {
            throw Refusal.of(
                    HttpStatus.UNAUTHORIZED,
                    "Team " + team + " takes secrets only from people who have logged in; nothing was stored. Log in,"
                            + " and try again.");
        }
        if (ttl.compareTo(maxTtl) > 0) {
            throw Refusal.of("ttl", "must be at most " + inWords(maxTtl) + " without a login");
        }
    }

    private void count(String value, boolean isNewTeam) {
        String client = client();
        attempts.admit(client, "A client may create " + attempts.limit() + " secrets" + PER_HOUR);
        // Counts what the quota of the team counts: a short text may be long in JSON.
        bytes.admit(
                client,
                json.writeValueAsBytes(value).length,
                "A client may create secrets of " + Sizes.of(bytes.limit()) + " in all" + PER_HOUR);
        if (isNewTeam) {
            newTeams.admit(client, "A client may create " + newTeams.limit() + " teams" + PER_HOUR);
        }
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
