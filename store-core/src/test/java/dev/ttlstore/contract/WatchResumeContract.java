package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Watches that resume after a sequence. */
@Promise({13, 15})
abstract class WatchResumeContract extends WatchArea {

    @Test
    void aWatchGoesOnWhereAnotherHasEnded() {
        Watch first = group().watch();
        group().put("a", "value");
        group().put("b", "value");
        long seen = last(read(first));
        first.close();
        group().put("c", "value");
        store().group("other").put("not watched", "value");
        group().delete("a");
        try (Watch second = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(second))).containsExactly("+ c", "- a");
            group().put("d", "value");
            assertThat(shown(read(second))).containsExactly("+ d");
        }
        try (Watch again = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(again))).containsExactly("+ c", "- a", "+ d");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withExisting().resumingAfter(seen));
    }

    @Test
    void aWatchOfAScopeGoesOnWhereAnotherHasEnded() {
        Scope acme = store().scope("acme");
        Watch first = acme.watch();
        acme.group("group").put("a", "value");
        acme.group("other").put("b", "value");
        long seen = last(read(first));
        first.close();
        group().put("not watched", "value");
        acme.group("group").put("c", "value");
        try (Watch second = acme.watch(DEFAULTS.resumingAfter(seen))) {
            acme.group("third").put("d", "value");
            assertThat(shown(read(second))).containsExactly("+ c", "+ d");
        }
    }

    @Test
    void aWatchOfTheStoreGoesOnOrSaysThatItCannot() {
        Watch first = store().watch();
        for (int i = 0; i < 8; i++) {
            store().group("group" + i).put("a", "value");
        }
        long seen = last(read(first));
        first.close();
        for (int i = 0; i < 8; i++) {
            store().group("group" + i).put("b" + i, "value");
        }
        try (Watch second = store().watch(DEFAULTS.resumingAfter(seen))) {
            group().put("last", "value");
            List<String> shown = shown(read(second));
            // Several processes give numbers in several orders, so nobody knows which of them the reader has seen.
            if (contract().isExclusive()) {
                assertThat(shown)
                        .hasSize(9)
                        .startsWith("+ b0")
                        .endsWith("+ last")
                        .doesNotContain("gap");
            } else {
                assertThat(shown).containsExactly("gap", "+ last");
            }
        }
    }

    /** Before it, nobody asked for the events, so a purge need not have made any. */
    @Test
    void theFirstWatchThatResumesBeforeAPurgeMissesNothingWithoutAGap() {
        long seen = group().put("a", "value", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1);
        try (Watch watch = group().watch(DEFAULTS.resumingAfter(seen))) {
            group().put("b", "value");
            assertThat(shown(read(watch))).hasSizeGreaterThan(1).endsWith("+ b");
        }
    }

    @Test
    void whatTheStoreNoLongerHasIsAGap() {
        open(settings().eventHistory(2));
        Watch first = group().watch();
        group().put("a", "value");
        long seen = last(read(first));
        for (String key : List.of("b", "c", "d")) {
            group().put(key, "value");
        }
        List<WatchSignal> rest = read(first);
        first.close();
        try (Watch second = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(second))).containsExactly("gap", "+ c", "+ d");
        }
        try (Watch third = group().watch(DEFAULTS.resumingAfter(last(rest)))) {
            assertThat(shown(read(third))).isEmpty();
        }
    }

    @Test
    void afterANumberThatTheStoreHasNotReachedThereIsAGap() {
        long newest = group().put("a", "value");
        Watch first = group().watch();
        for (long unknown : List.of(newest + 1_000, Long.MAX_VALUE)) {
            try (Watch ofAnotherStore = group().watch(DEFAULTS.resumingAfter(unknown))) {
                group().put("b", "value");
                assertThat(shown(read(ofAnotherStore))).containsExactly("gap", "+ b");
            }
        }
        first.close();
    }

    @Test
    void afterARestartAWatchGoesOnOnlyIfNothingWasMissed() {
        Watch before = group().watch();
        IntStream.range(0, 10).forEach(i -> group().put("key" + i, "value"));
        long seen = last(read(before));
        reopen();
        try (Watch atOnce = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(atOnce))).containsExactly("gap");
        }
        group().put("a", "value");
        try (Watch later = group().watch(DEFAULTS.resumingAfter(seen))) {
            group().put("b", "value");
            // A store in memory begins its numbers again, and a file goes on with the next number.
            // After a gap, a shared engine may repeat what is known to have come after the number.
            assertThat(shown(read(later)))
                    .isIn(List.of("gap", "+ b"), List.of("gap", "+ a", "+ b"), List.of("+ a", "+ b"));
        }
    }

    @Test
    void aWatchDoesNotRepeatAChangeThatIsStillOnItsWayToTheWatches() {
        Watch active = group().watch();
        List<Watch> resumed = new ArrayList<>();
        Subscription subscription = store().onChange(event -> {
            if (resumed.isEmpty()) { // the next changes reach the watches after this listener has returned
                long first = group().put("first", "value");
                long second = group().put("second", "value");
                resumed.add(group().watch(DEFAULTS.resumingAfter(first)));
                resumed.add(group().watch(DEFAULTS.resumingAfter(second)));
            }
        });
        group().put("key", "value");
        group().put("later", "value");
        assertThat(shown(read(resumed.get(0)))).containsExactly("+ second", "+ later");
        assertThat(shown(read(resumed.get(1)))).containsExactly("+ later");
        assertThat(shown(read(active))).containsExactly("+ key", "+ first", "+ second", "+ later");
        resumed.forEach(Watch::close);
        subscription.close();
        active.close();
    }

    @Test
    void aReaderThatIsUpToDateGoesOnWithoutAGap() {
        group().put("a", "value");
        long seen;
        try (Watch watch = group().watch(DEFAULTS.withExisting())) {
            List<WatchSignal> signals = read(watch);
            seen = ((WatchSignal.UpToDate) signals.get(1)).sequence();
        }
        try (Watch quiet = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(quiet))).isEmpty();
            group().put("b", "value");
            assertThat(shown(read(quiet))).containsExactly("+ b");
        }
        try (Watch again = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(again))).containsExactly("+ b");
        }
    }

    @Test
    void aReaderOfTheFirstWatchGoesOnAfterAWriteOfItsOwn() {
        group().put("a", "value");
        long own = group().put("b", "value");
        try (Watch watch = group().watch(DEFAULTS.resumingAfter(own))) {
            group().put("c", "value");
            assertThat(shown(read(watch))).containsExactly("+ c");
        }
        try (Watch earlier = group().watch(DEFAULTS.resumingAfter(own - 1))) {
            assertThat(shown(read(earlier))).containsExactly("gap", "+ c");
        }
    }

    @Test
    void withoutAHistoryAndBeforeTheFirstWatchThereIsAGap() {
        open(settings().eventHistory(0));
        group().put("a", "value");
        try (Watch watch = group().watch(DEFAULTS.resumingAfter(0))) {
            group().put("b", "value");
            assertThat(shown(read(watch))).containsExactly("gap", "+ b");
        }
        Store store = reopen();
        TextGroup group = store.group("group");
        group.put("a", "value");
        try (Watch watch = group.watch(DEFAULTS.resumingAfter(0))) {
            assertThat(shown(read(watch))).containsExactly("gap");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings().eventHistory(-1))
                .withMessageContaining("'eventHistory'");
    }
}
