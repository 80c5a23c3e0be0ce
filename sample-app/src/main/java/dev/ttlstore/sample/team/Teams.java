package dev.ttlstore.sample.team;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;
import dev.ttlstore.spring.autoconfigure.DeclaredScopes;
import dev.ttlstore.spring.autoconfigure.StoreProperties;

/**
 * The teams. Each is a scope that contains only its secrets, so that its quota counts only these. Declared teams have
 * the quota in {@code store.scopes}. Other teams come and go, and have common limits.
 */
@Service
public class Teams {

    private final Store store;
    private final Activity activity;
    private final Now now;
    private final Map<String, Quota> declared;
    private final SecretsProperties.OtherTeams others;
    private final List<String> loginTeams;
    private final String first;

    Teams(Store store, Activity activity, Now now, StoreProperties declared, SecretsProperties properties) {
        this.store = store;
        this.activity = activity;
        this.now = now;
        // Not the beans of scopes: ahead-of-time processing knows only those that were declared at the build.
        this.declared = DeclaredScopes.of(declared.scopes()).quotas();
        this.others = properties.otherTeams();
        this.loginTeams = properties.loginTeams();
        this.first = properties.team();
    }

    public Scope scope(String team) {
        return store.scope(team);
    }

    Quota quota(String team) {
        return declared.getOrDefault(team, others.quota());
    }

    /** Returns whether a team is configured, or has stored a secret of late. Anything else may be a typing error. */
    public boolean isKnown(String team) {
        return isConfigured(team) || !activity.isEmpty(team);
    }

    private boolean isConfigured(String team) {
        return declared.containsKey(team) || team.equals(first) || loginTeams.contains(team);
    }

    /** Applies the quota of a team to its next write. */
    public void admit(String team) {
        if (declared.containsKey(team)) {
            return;
        }
        // A team that has ever stored a secret has activity.
        if (activity.isEmpty(team) && others() >= others.maxTeams()) {
            throw Refusal.of(
                    HttpStatus.TOO_MANY_REQUESTS,
                    "No further teams can be added by name, and nothing was stored. Ask the operator to set up your"
                            + " team.");
        }
        store.scope(team, others.quota());
    }

    /**
     * Frees the name of a team that holds nothing, if no secret was ever read and none has expired. Anyone can make up a
     * team and delete its only secret, so a team's history does not end by that.
     */
    public void freeIfUnused(Keyspace transaction, String team) {
        if (!activity.isUsed(transaction, team)) {
            free(transaction, team);
        }
    }

    /** Frees the name of a team that holds nothing, with its history, unless the configuration names it. */
    public void free(Keyspace transaction, String team) {
        if (!isConfigured(team)) {
            activity.forget(transaction, team);
        }
    }

    /**
     * Tells a team that its quota is used up, and when there is room.
     *
     * @param longest the longest lifetime of a secret
     */
    public Refusal usedUp(QuotaExceededException e, Duration longest) {
        return QuotaRefusal.of(e, scope(e.namespace()), now.get(), longest);
    }

    private long others() {
        try (Stream<String> teams = activity.teams()) {
            return teams.filter(team -> !declared.containsKey(team)).count();
        }
    }
}
