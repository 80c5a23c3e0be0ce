package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Expiry is told on time, without a purge that somebody asks for. How late it is at most is a benchmark's to tell. */
@Promise(16)
abstract class PromptExpiryContract extends ContractArea {

    @Test
    void aListenerIsToldWhenAnEntryExpires() {
        openOnTime(InstantSource.system());
        Recorder recorder = record();
        group().put("key", "value", Duration.ofMillis(30));
        awaitExpired(recorder, "key");
        assertThat(recorder.events(EntryExpired.class))
                .allSatisfy(event -> assertThat(event.timestamp()).isAfterOrEqualTo(event.expiresAt()));
    }

    @Test
    void aWatchIsToldToo() {
        openOnTime(InstantSource.system());
        try (Watch watch = store().watch("group")) {
            group().put("key", "value", Duration.ofMillis(30));
            Awaitility.await().until(() -> watch.poll(Duration.ofMillis(100)).stream()
                    .anyMatch(signal ->
                            signal instanceof WatchSignal.Change change && change.event() instanceof EntryExpired));
        }
    }

    @Test
    @Promise(17)
    void aHandlerIsToldToo() {
        openOnTime(InstantSource.system());
        Handled handled = new Handled();
        Subscription unused = store().onExpired("mail", "group", handled);
        group().put("key", "value", Duration.ofMillis(30));
        handled.await("key");
    }

    /** Whoever writes first may have a user's security context, or a tenant. */
    @Test
    @Promise({13, 17})
    void whatIsToldInTheBackgroundHasNothingOfTheThreadThatCausedIt() {
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        user.set("ann");
        try {
            openOnTime(InstantSource.system());
            Set<String> seen = ConcurrentHashMap.newKeySet();
            store().onChange(event -> {
                if (event instanceof EntryExpired) {
                    seen.add("listener for " + user.get());
                }
            });
            Subscription unused = store().onExpired("mail", "group", entry -> seen.add("handler for " + user.get()));
            group().put("key", "value", Duration.ofMillis(30));
            Awaitility.await().untilAsserted(() -> assertThat(seen)
                    .containsExactlyInAnyOrder("listener for null", "handler for null"));
        } finally {
            user.remove();
        }
    }

    @Test
    void whoComesBetweenTheWriteAndTheExpiryIsToldToo() {
        openOnTime(InstantSource.system());
        group().put("key", "value", Duration.ofMillis(100));
        awaitExpired(record(), "key");
    }

    @Test
    void whatHadExpiredBeforeAnybodyListenedIsToldAtOnce() {
        openOnTime(clock);
        group().put("key", "value", Duration.ofMillis(1));
        advanceMillis(1);
        awaitExpired(record(), "key");
    }

    @Test
    void aShorterTtlIsNotKeptWaitingByALongerOne() {
        openOnTime(InstantSource.system());
        Recorder recorder = record();
        group().put("years", "value", Duration.ofDays(100_000));
        group().put("hours", "value", Duration.ofHours(1));
        group().put("short", "value", Duration.ofMillis(30));
        awaitExpired(recorder, "short");
        group().expire("hours", Duration.ofMillis(30));
        awaitExpired(recorder, "short", "hours");
        group().put("shortest", "value", Duration.ofNanos(1));
        awaitExpired(recorder, "short", "hours", "shortest");
    }

    @Test
    @Promise(3)
    void whatIsRenewedOrDeletedIsNotToldOf() {
        openOnTime(InstantSource.system());
        Recorder recorder = record();
        Duration ttl = Duration.ofMillis(300); // long enough for six commits on a busy machine
        group().put("renewed", "value", ttl);
        group().put("permanent", "value", ttl);
        group().put("deleted", "value", ttl);
        group().expire("renewed", Duration.ofHours(1));
        group().persist("permanent");
        group().delete("deleted");
        group().put("last", "value", ttl);
        awaitExpired(recorder, "last");
        assertThat(group().keys()).containsExactly("permanent", "renewed");
    }

    @Test
    void aCommitThatFindsTheClockAheadHasExpiryTold() {
        openOnTime(clock);
        Recorder recorder = record();
        group().put("key", "value", Duration.ofHours(1));
        advanceMillis(Duration.ofHours(2).toMillis());
        group().put("another", "value");
        awaitExpired(recorder, "key");
    }

    @Test
    @Promise(13)
    void aBurstIsToldOfWholeAndInOrder() {
        openOnTime(InstantSource.system());
        Recorder recorder = record();
        int many = Effort.of(1_500, 5_000);
        Instant end = Instant.now().plusMillis(200);
        store().transact(tx -> {
            for (int i = 0; i < many; i++) {
                tx.group("group").put("key" + i, "value", end.plusMillis(i / 50));
            }
            return true;
        });
        Awaitility.await().until(() -> recorder.events(EntryExpired.class).size() == many);
        assertThat(recorder.events(EntryExpired.class))
                .isSortedAccordingTo((a, b) -> a.expiresAt().compareTo(b.expiresAt()))
                .extracting(EntryExpired::key)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, many).mapToObj(i -> "key" + i).toList());
    }

    @Test
    void whileNobodyListensNothingIsRemoved() {
        openOnTime(clock);
        record(); // and leaves again
        store().close();
        openOnTime(clock);
        group().put("key", "value", Duration.ofMillis(1));
        advanceMillis(1);
        group().put("another", "value");
        assertThat(store().stats().expired()).isEqualTo(1);
    }

    @Test
    void aListenerThatGoesAndAnotherThatComesAreServed() {
        openOnTime(InstantSource.system());
        Recorder first = new Recorder();
        Subscription subscription = store().onChange(first);
        group().put("one", "value", Duration.ofMillis(20));
        awaitExpired(first, "one");
        subscription.close();
        group().put("two", "value", Duration.ofMillis(20));
        Recorder second = record();
        group().put("three", "value", Duration.ofMillis(40));
        Awaitility.await().until(() -> second.events(EntryExpired.class).stream()
                .anyMatch(event -> event.key().equals("three")));
    }

    private void openOnTime(InstantSource source) {
        open(settings().clock(source).expiryOnTime(true));
    }

    private static void awaitExpired(Recorder recorder, String... keys) {
        Awaitility.await().untilAsserted(() -> assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::key)
                .containsExactly(keys));
    }
}
