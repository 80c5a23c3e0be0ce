package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Of all that want what one alone can have, one gets it. */
@Promise(10)
abstract class WinnersContract extends ContractArea {

    private static final int THREADS = 32;

    /** A write that can succeed once on the entry as it stands. */
    private interface Attempt {
        boolean wins(TextGroup group, long version, int thread);
    }

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Contest {
        REPLACE((group, version, thread) ->
                group.replace("key", "value", "won by " + thread).isPresent()),
        REPLACE_FOR_A_TIME(
                (group, version, thread) -> group.replace("key", "value", "won by " + thread, Duration.ofHours(1))
                        .isPresent()),
        REPLACE_VERSION((group, version, thread) ->
                group.replaceVersion("key", version, "won by " + thread).isPresent()),
        DELETE((group, version, thread) -> group.delete("key")),
        DELETE_BY_VALUE((group, version, thread) -> group.delete("key", "value")),
        DELETE_VERSION((group, version, thread) -> group.deleteVersion("key", version)),
        TAKE((group, version, thread) -> group.take("key").isPresent()),
        BY_VERSION((group, version, thread) -> thread % 2 == 0
                ? group.replaceVersion("key", version, "won by " + thread).isPresent()
                : group.deleteVersion("key", version)),
        BY_VALUE((group, version, thread) -> thread % 2 == 0
                ? group.replace("key", "value", "won by " + thread).isPresent()
                : group.delete("key", "value"));

        private final Attempt attempt;

        Contest(Attempt attempt) {
            this.attempt = attempt;
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThatWantTheEntryOneWins(Contest contest) {
        for (int round = 0; round < 5; round++) {
            group().put("key", "value", Duration.ofHours(1));
            long version = group().entry("key").orElseThrow().version();
            oneWins(Threads.together(THREADS, thread -> contest.attempt.wins(group(), version, thread)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThatWantAnExpiredEntryNoneWins(Contest contest) {
        group().put("key", "value", Duration.ofMillis(1));
        long version = group().entry("key").orElseThrow().version();
        advanceMillis(1);
        assertThat(Threads.together(THREADS, thread -> contest.attempt.wins(group(), version, thread)))
                .containsOnly(false);
    }

    @ParameterizedTest
    @EnumSource
    void ofManyThatPutIfAbsentOneWinsAndItsValueStands(Standing standing) {
        standing.prepare(this);
        for (int round = 0; round < 3; round++) {
            List<Boolean> won = Threads.together(
                    THREADS,
                    thread -> thread % 2 == 0
                            ? group().putIfAbsent("key", "won by " + thread).isPresent()
                            : group().putIfAbsent("key", "won by " + thread, Duration.ofHours(1))
                                    .isPresent());
            if (standing.isLive() && round == 0) {
                assertThat(won).containsOnly(false);
            } else {
                oneWins(won);
                assertThat(group().get("key")).contains("won by " + won.indexOf(true));
            }
            group().delete("key");
        }
    }

    @Test
    void ofManyThatReplaceOneAnothersValuesEachIsTheNextOfOne() {
        group().put("key", "0");
        AtomicInteger won = new AtomicInteger();
        Threads.together(8, thread -> {
            for (int i = 0; i < 50; i++) {
                String seen = group().get("key").orElseThrow();
                if (group().replace("key", seen, String.valueOf(Integer.parseInt(seen) + 1))
                        .isPresent()) {
                    won.incrementAndGet();
                }
            }
            return thread;
        });
        assertThat(group().get("key")).contains(String.valueOf(won.get()));
    }

    private static void oneWins(List<Boolean> won) {
        assertThat(won).hasSize(THREADS);
        assertThat(won.stream().filter(Boolean::booleanValue)).hasSize(1);
    }
}
