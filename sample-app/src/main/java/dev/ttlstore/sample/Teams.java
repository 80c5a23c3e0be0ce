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
 * The teams, each a scope of the store with nothing but its secrets in it, so that its quota counts these. Teams that are
 * declared have the quota of {@code store.scopes}; others come and go, and share what is set for them.
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

    /** Has the quota of a team hold for what it is about to write. */
    void admit(String team) {
        if (declared.containsKey(team)) {
            return;
        }
        // A team that has ever kept a secret has left its traces in the activity.
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
