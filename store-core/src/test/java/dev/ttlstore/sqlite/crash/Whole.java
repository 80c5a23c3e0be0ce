package dev.ttlstore.sqlite.crash;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.Usage;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What must hold of a store as a whole after a crash, whichever write was under way. */
final class Whole {

    private static final String PROBE = "probe";
    private static final Instant END_OF_TIME = Instant.parse("2200-01-01T00:00:00Z");

    private final Store store;
    private final Contents found;
    private final int threads;

    Whole(Store store, Contents found, int threads) {
        this.store = store;
        this.found = found;
        this.threads = threads;
    }

    /**
     * Checks the store.
     *
     * @param lastVersion the highest version that is known to have been used
     * @return the highest by now
     */
    long check(long lastVersion) {
        found.entries().keySet().forEach(place -> assertThat(isKnown(place))
                .as("%s is of somebody", place)
                .isTrue());
        checkAccounts();
        checkExpiries();
        for (int thread = 0; thread < threads; thread++) {
            checkUsage(ScopeWrites.own(store, thread), ScopeWrites.OWN_KEYS);
        }
        checkUsage(ScopeWrites.team(store), ScopeWrites.TEAM_KEYS);
        store.purgeExpired();
        assertThat(store.stats().expired()).isZero();
        assertThat(store.count()).isEqualTo(found.entries().size());
        store.group(PROBE).put(PROBE, "a new version");
        long version = store.group(PROBE).entry(PROBE).orElseThrow().version();
        assertThat(version).as("versions are not used again").isGreaterThan(lastVersion);
        store.group(PROBE).delete(PROBE);
        return version + 1; // the deletion's number
    }

    private boolean isKnown(Place place) {
        if (place.group().equals(JointWrites.ACCOUNTS)) {
            return true;
        }
        for (int thread = 0; thread < threads; thread++) {
            if (place.isOf(thread)) {
                return true;
            }
        }
        return false;
    }

    /** What is in an account is what all have given to it: no transfer is there by halves. */
    private void checkAccounts() {
        Map<String, Long> given = new TreeMap<>();
        found.in(JointWrites.GIVEN)
                .forEach((place, state) -> given.merge(
                        place.key().substring(place.key().indexOf('.') + 1), Long.parseLong(state.value()), Long::sum));
        Map<String, Long> accounts = new TreeMap<>();
        found.in(JointWrites.ACCOUNTS)
                .forEach((place, state) -> accounts.put(place.key(), Long.parseLong(state.value())));
        assertThat(accounts).isEqualTo(given);
        assertThat(accounts.values().stream().mapToLong(amount -> amount).sum()).isZero();
    }

    /** The expiry index tells what the entries do. */
    private void checkExpiries() {
        SortedMap<Place, Instant> indexed = new TreeMap<>();
        store.expiring(Instant.EPOCH, END_OF_TIME)
                .forEach(entry -> indexed.put(new Place(entry.group(), entry.key()), entry.expiresAt()));
        assertThat(indexed).isEqualTo(found.expiries());
    }

    private void checkUsage(Scope scope, int maxKeys) {
        long keys = 0;
        long groups = 0;
        long bytes = 0;
        for (String group : scope.groups().toList()) {
            groups++;
            for (Map.Entry<String, String> entry : scope.group(group).getAll().entrySet()) {
                keys++;
                bytes += length(entry.getKey()) + length(entry.getValue());
            }
        }
        assertThat(scope.usage()).isEqualTo(new Usage(keys, groups, bytes));
        assertThat(keys).isLessThanOrEqualTo(maxKeys);
        if (keys < maxKeys) {
            scope.group(PROBE).put(PROBE, ""); // a write has the usage counted once, and kept from then on
            assertThat(scope.usage()).isEqualTo(new Usage(keys + 1, groups + 1, bytes + PROBE.length()));
            scope.group(PROBE).delete(PROBE);
        }
        assertThat(scope.usage()).isEqualTo(new Usage(keys, groups, bytes));
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
