package dev.ttlstore.contract;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Transactions are all or nothing, and seen when they are done. */
@Promise(8)
abstract class TransactionContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    @Test
    void allWritesOfATransactionComeToBeAndItsAnswerIsReturned() {
        group().put("old", "value");
        String answer = store().transact(tx -> {
            tx.group("group").put("new", "value", TTL);
            tx.group("group").delete("old");
            tx.counters("counters").increment("key", 5);
            return tx.group("other").add("value");
        });
        assertThat(group().getAll()).containsExactly(Map.entry("new", "value"));
        assertThat(store().counters("counters").get("key")).contains(5L);
        assertThat(store().group("other").keys()).containsExactly(answer);
        advanceMillis(10);
        assertThat(group().contains("new")).isFalse();
    }

    @Test
    void whenTheWorkThrowsNothingHasHappened() {
        group().put("kept", "value");
        group().put("expired", "value", TTL);
        advanceMillis(10);
        Recorder recorder = record();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("group").put("kept", "other");
            tx.group("group").put("expired", "anew");
            tx.group("other").put("new", "value");
            tx.deleteGroup("group");
            throw new UnsupportedOperationException("on purpose");
        }));
        assertThat(group().getAll()).containsExactly(Map.entry("kept", "value"));
        assertThat(store().groups()).containsExactly("group");
        assertThat(recorder.events()).isEmpty();
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(recorder.events(EntryExpired.class)).hasSize(1);
    }

    @Test
    void anErrorUndoesItToo() {
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("group").put("key", "value");
            throw new StackOverflowError("on purpose");
        }));
        assertThat(store().count()).isZero();
        group().put("key", "value");
        assertThat(store().count()).isEqualTo(1);
    }

    @Test
    @Promise({8, 19})
    void aQuotaThatIsExceededInsideUndoesItAll() {
        store().scope("acme", new Quota(2, 0, 0));
        Recorder recorder = record();
        assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("other").put("key", "value");
            for (int i = 0; i < 3; i++) {
                tx.group("acme:group").put("key" + i, "value");
            }
            return true;
        }));
        assertThat(store().count()).isZero();
        assertThat(recorder.events()).isEmpty();
        assertThat(store().scope("acme").usage().keys()).isZero();
    }

    @Test
    void aValueThatCannotBeEncodedUndoesItAll() {
        Codec<String> picky = new Codec<>() {
            @Override
            public byte[] encode(String value) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public String decode(byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        };
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("group").put("key", "value");
            tx.group("picky", picky).put("key", "value");
            return true;
        }));
        assertThat(store().count()).isZero();
    }

    @Test
    void whoCatchesTheFailureOfOneOperationKeepsTheRest() {
        store().scope("acme", new Quota(1, 0, 0));
        group().put("max", "x");
        Recorder recorder = record();
        store().transact(tx -> {
            tx.group("acme:group").put("first", "value");
            assertThatExceptionOfType(QuotaExceededException.class)
                    .isThrownBy(() -> tx.group("acme:group").putAll(Map.of("second", "value", "third", "value")));
            Counters counters = tx.counters("counters");
            counters.put("max", Long.MAX_VALUE);
            assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> counters.increment("max"));
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> tx.group("group").update("max", value -> {
                        throw new IllegalStateException("on purpose");
                    }));
            tx.group("group").put("last", "value");
            return true;
        });
        assertThat(store().group("acme:group").keys()).containsExactly("first");
        assertThat(store().counters("counters").get("max")).contains(Long.MAX_VALUE);
        assertThat(group().keys()).containsExactly("last", "max");
        assertThat(recorder.events(EntryPut.class)).extracting(EntryPut::key).containsExactly("first", "max", "last");
    }

    @Test
    void nothingIsSeenByAnotherThreadBeforeTheCommitAndReadingDoesNotWait() {
        group().put("changed", "before");
        group().put("deleted", "before");
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            group.put("changed", "after");
            group.delete("deleted");
            group.put("new", "after");
            tx.group("other").put("key", "value");
            Map<String, String> seen = Threads.get(Threads.start(thread -> group().getAll()));
            assertThat(seen).containsExactly(Map.entry("changed", "before"), Map.entry("deleted", "before"));
            List<String> groups =
                    Threads.get(Threads.start(thread -> store().groups().toList()));
            assertThat(groups).containsExactly("group");
            long count = Threads.get(Threads.start(thread -> store().count()));
            assertThat(count).isEqualTo(2);
            return true;
        });
        assertThat(group().getAll()).containsExactly(Map.entry("changed", "after"), Map.entry("new", "after"));
    }

    @Test
    @Promise({8, 13, 14})
    void noEventIsToldBeforeTheCommitAndAllAreAfterItInOrder() {
        group().put("deleted", "value");
        group().put("expired", "value", TTL);
        store().group("a").put("key", "value");
        advanceMillis(10);
        Recorder recorder = record();
        try (Watch watch = store().watch()) {
            store().transact(tx -> {
                tx.group("group").put("new", "value");
                tx.group("group").delete("deleted");
                tx.group("group").put("expired", "anew");
                tx.deleteGroup("a");
                tx.counters("counters").increment("key");
                assertThat(recorder.events()).isEmpty();
                assertThat(watch.poll()).isEmpty();
                return true;
            });
            assertThat(watch.poll()).isPresent();
        }
        List<StoreEvent> events = recorder.events();
        assertThat(events)
                .extracting(StoreEvent::getClass)
                .containsExactly(
                        EntryPut.class,
                        EntryDeleted.class,
                        EntryExpired.class,
                        EntryPut.class,
                        GroupDeleted.class,
                        EntryPut.class);
        assertSequenceRises(events);
    }

    @Test
    @Promise({8, 13, 14})
    void aListenerThatCameDuringTheTransactionIsToldOfIt() {
        Recorder recorder = new Recorder();
        store().transact(tx -> {
            tx.group("group").put("before", "value");
            Threads.get(Threads.start(thread -> store().onChange(recorder)));
            tx.group("group").put("after", "value");
            return true;
        });
        assertThat(recorder.events(EntryPut.class)).extracting(EntryPut::key).containsExactly("before", "after");
    }

    @Test
    @Promise({8, 14})
    void aListenerMayTransact() {
        store().onChange(event -> {
            if (event.group().equals("group")) {
                store().transact(tx -> tx.counters("counters").increment("told"));
            }
        });
        store().transact(tx -> {
            tx.group("group").put("first", "value");
            tx.group("group").put("second", "value");
            return true;
        });
        assertThat(store().counters("counters").get("told")).contains(2L);
        assertThat(store().activity().listenerFailures()).isZero();
    }

    @Test
    @Promise({8, 10})
    void transfersBetweenCountersKeepTheirSum() {
        Counters accounts = store().counters("accounts");
        for (int i = 0; i < 5; i++) {
            accounts.put("account" + i, 100L);
        }
        Threads.together(8, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < Effort.of(12, 40); i++) {
                String from = "account" + random.nextInt(5);
                String to = "account" + random.nextInt(5);
                long amount = random.nextInt(50);
                store().transact(tx -> {
                    Counters inside = tx.counters("accounts");
                    if (inside.get(from).orElseThrow() >= amount) {
                        inside.increment(from, -amount);
                        inside.increment(to, amount);
                    }
                    return true;
                });
                assertThat(sum(accounts.getAll())).isEqualTo(500);
            }
            return true;
        });
        assertThat(sum(accounts.getAll())).isEqualTo(500);
        assertThat(accounts.getAll().values()).allMatch(balance -> balance >= 0);
    }

    private static long sum(Map<String, Long> numbers) {
        return numbers.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    @Promise({8, 10})
    void otherWritersGetTheirTurnAndNoUpdateIsLost() {
        Threads.together(8, thread -> {
            for (int i = 0; i < 25; i++) {
                if (thread % 2 == 0) {
                    store().transact(tx -> {
                        Group<Long> counters = tx.group("counters", Long.class);
                        counters.put("key", counters.get("key").orElse(0L) + 1);
                        return true;
                    });
                } else {
                    store().counters("counters").increment("key");
                }
            }
            return true;
        });
        assertThat(store().counters("counters").get("key")).contains(200L);
    }

    @Test
    void aTransactionOfAScopeSeesItsNamespaceAlone() {
        store().group("group").put("root", "value");
        store().group("other:group").put("other", "value");
        store().scope("acme").group("group").put("own", "value");
        List<String> seen = new ArrayList<>();
        store().scope("acme").transact(tx -> {
            tx.groups().forEach(seen::add);
            tx.group("group").keys().forEach(seen::add);
            tx.group("new").put("key", "value");
            assertThat(tx.count()).isEqualTo(2);
            return tx.deletePrefix("g");
        });
        assertThat(seen).containsExactly("group", "own");
        assertThat(store().groups()).containsExactly("acme:new", "group", "other:group");
    }
}
