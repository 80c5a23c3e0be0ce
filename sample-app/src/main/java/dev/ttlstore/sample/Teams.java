package dev.ttlstore.sample;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Service;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;

/**
 * The teams. Each is a scope that contains only its secrets, so that its quota counts only these. Declared teams have
 * the quota in {@code store.scopes}. Other teams come and go, and have common limits.
 */
@Service
class Teams {

    private final Store store;
    private final Activity activity;
    private final Map<String, Scope> declared;
    private final SecretsProperties.OtherTeams others;

    Teams(Store store, Activity activity, ObjectProvider<Scope> declared, SecretsProperties properties) {
        this.store = store;
        this.activity = activity;
        this.declared = declared.stream().collect(Collectors.toUnmodifiableMap(Scope::namespace, scope -> scope));
        this.others = properties.otherTeams();
    }

    Scope scope(String team) {
        return store.scope(team);
    }

    Quota quota(String team) {
        Scope scope = declared.get(team);
        return scope != null ? scope.quota() : others.quota();
    }

    /** Applies the quota of a team to its next write. */
    void admit(String team) {
        if (declared.containsKey(team)) {
            return;
        }
        // A team that has ever stored a secret has activity.
        if (activity.isEmpty(team) && others() >= others.maxTeams()) {
            throw new TooManyTeamsException();
        }
        store.scope(team, others.quota());
    }

    private long others() {
        try (Stream<String> teams = activity.teams()) {
            return teams.filter(team -> !declared.containsKey(team)).count();
        }
    }
}
