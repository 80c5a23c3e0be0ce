package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What any thread has been told of an entry, no reader falls behind, whichever way it reads. */
@Promise({8, 9})
abstract class CacheRaceContract extends ContractArea {

    private static final int KEYS = 4;
    private static final int WRITES = Effort.of(40, 600);
    private static final int WRITERS = 2;
    private static final int READERS = 3;
    private static final int LOOKS = 6;
    private static final long ABSENT = -1;

    private Group<Long> numbers() {
        return store().group("numbers", Long.class);
    }

    private static String key(int number) {
        return "key" + number;
    }

    @Test
    void noReaderFallsBehindWhatAWriteOrAnotherReaderHasTold() {
        AtomicLongArray told = new AtomicLongArray(KEYS);
        AtomicInteger writing = new AtomicInteger(WRITERS);
        Threads.together(WRITERS + READERS, thread -> {
            if (thread < WRITERS) {
                try {
                    writeAndLook(thread, told);
                } finally {
                    writing.decrementAndGet();
                }
                return true;
            }
            for (int i = thread; writing.get() > 0; i++) {
                int number = i % KEYS;
                long least = told.get(number);
                long seen = read(key(number), i / KEYS);
                if (seen != ABSENT) {
                    assertThat(seen).isGreaterThanOrEqualTo(least);
                    tell(told, number, seen);
                }
            }
            return true;
        });
        for (int number = 0; number < KEYS; number++) {
            assertThat(numbers().get(key(number))).contains(told.get(number));
        }
    }

    /** Each writer has keys of its own, and puts rising values under them. */
    private void writeAndLook(int thread, AtomicLongArray told) {
        for (int i = 1; i <= WRITES; i++) {
            int number = i % (KEYS / WRITERS) * WRITERS + thread;
            write(key(number), i, i % 7);
            tell(told, number, i);
            // What a slow reader had put back would stand until the next write.
            for (int look = 0; look < LOOKS; look++) {
                assertThat(read(key(number), look)).isEqualTo(i);
            }
        }
    }

    private static void tell(AtomicLongArray told, int number, long value) {
        long unused = told.accumulateAndGet(number, value, Math::max);
    }

    private void write(String key, long value, int way) {
        switch (way) {
            case 0 -> {
                numbers().put(key, value);
                assertThat(numbers().expire(key, Duration.ofHours(1))).isTrue();
            }
            case 1 -> numbers().async().put(key, value).join();
            case 2 ->
                store().transact(tx -> {
                    tx.group("numbers", Long.class).put(key, value);
                    return true;
                });
            case 3 -> numbers().put(key, value, Duration.ofHours(1));
            default -> { // a row that is gone is not at hand, so that readers go to the engine for the next
                boolean unused = numbers().delete(key);
                numbers().put(key, value);
            }
        }
    }

    private long read(String key, int way) {
        return switch (way % 12) {
            case 0 -> numbers().getAll().getOrDefault(key, ABSENT);
            case 1 ->
                numbers().page(null, 10).stream()
                        .filter(entry -> entry.key().equals(key))
                        .map(Entry::value)
                        .findFirst()
                        .orElse(ABSENT);
            case 2 -> numbers().getAll(List.of(key)).getOrDefault(key, ABSENT);
            case 3 -> numbers().entry(key).map(Entry::value).orElse(ABSENT);
            default -> numbers().get(key).orElse(ABSENT);
        };
    }

    @Test
    void noReaderSeesWhatIsKnownToHaveBeenRemoved() {
        AtomicLong gone = new AtomicLong(-1); // the last number that is known to have been removed
        AtomicInteger writing = new AtomicInteger(1);
        Threads.together(1 + READERS, thread -> {
            if (thread == 0) {
                try {
                    for (int i = 0; i < WRITES; i++) {
                        group().put("key", String.valueOf(i), i % 4 == 0 ? Duration.ofMillis(1) : Duration.ofHours(1));
                        remove(i % 4);
                        gone.set(i);
                        for (int look = 0; look < LOOKS; look++) {
                            assertThat(group().get("key")).isEmpty();
                        }
                    }
                } finally {
                    writing.decrementAndGet();
                }
                return true;
            }
            for (int i = thread; writing.get() > 0; i++) {
                long least = gone.get();
                var seen = i % 3 == 0
                        ? group().getAll().get("key")
                        : group().get("key").orElse(null);
                if (seen != null) {
                    assertThat(Long.parseLong(seen)).isGreaterThan(least);
                }
            }
            return true;
        });
        assertThat(group().get("key")).isEmpty();
    }

    private void remove(int way) {
        long removed =
                switch (way) {
                    case 0 -> {
                        advanceMillis(1);
                        yield store().purgeExpired();
                    }
                    case 1 -> group().clear();
                    case 2 -> store().deletePrefix("group");
                    default -> group().delete("key") ? 1 : 0;
                };
        assertThat(removed).isEqualTo(1);
    }
}
