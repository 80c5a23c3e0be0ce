package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Many threads at one store. */
@Promise(10)
abstract class ConcurrencyContract extends ContractArea {

    @Test
    void ofManyThatTakeOneKeyExactlyOneGetsIt() {
        for (int round = 0; round < Effort.of(12, 40); round++) {
            String key = "key" + round;
            group().put(key, "value" + round);
            List<Optional<String>> taken = Threads.together(24, thread -> group().take(key));
            assertThat(taken.stream().flatMap(Optional::stream)).containsExactly("value" + round);
        }
    }

    @Test
    void ofManyThatDeleteOneKeyExactlyOneIsTrue() {
        for (int round = 0; round < Effort.of(8, 20); round++) {
            group().put("key", "value");
            List<Boolean> deleted = Threads.together(32, thread -> group().delete("key"));
            assertThat(deleted.stream().filter(Boolean::booleanValue)).hasSize(1);
        }
    }

    @Test
    void takersAndDeletersOfOneKeyWinOnceTogether() {
        for (int round = 0; round < Effort.of(8, 20); round++) {
            group().put("key", "value");
            List<Boolean> won = Threads.together(
                    16, thread -> thread % 2 == 0 ? group().take("key").isPresent() : group().delete("key"));
            assertThat(won.stream().filter(Boolean::booleanValue)).hasSize(1);
        }
    }

    @Test
    void everyValueThatIsPutWhileOthersTakeIsTakenOnceOrStillThere() {
        int values = Effort.of(100, 300);
        List<List<String>> seen = Threads.together(5, thread -> {
            List<String> mine = new ArrayList<>();
            for (int i = 0; i < values; i++) {
                if (thread == 0) {
                    group().put("key" + i % 3, String.valueOf(i));
                } else {
                    group().take("key" + i % 3).ifPresent(mine::add);
                }
            }
            return mine;
        });
        assertThat(seen.stream().flatMap(List::stream)).doesNotHaveDuplicates();
        // The last values of the three keys cannot have been overwritten, so each was taken or is there.
        for (int i = values - 3; i < values; i++) {
            String value = String.valueOf(i);
            boolean taken = seen.stream().flatMap(List::stream).anyMatch(value::equals);
            assertThat(taken ^ group().getAll().containsValue(value)).isTrue();
        }
    }

    @Test
    void clearersOfOneGroupRemoveEachEntryOnce() {
        for (int i = 0; i < 100; i++) {
            group().put("key" + i, "value");
        }
        List<Long> cleared = Threads.together(8, thread -> group().clear());
        assertThat(cleared.stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
    }

    @Test
    void addedKeysAreAllDifferent() {
        List<List<String>> keys = Threads.together(8, thread -> IntStream.range(0, 50)
                .mapToObj(i -> group().add("value"))
                .toList());
        assertThat(keys.stream().flatMap(List::stream)).hasSize(400).doesNotHaveDuplicates();
        assertThat(group().count()).isEqualTo(400);
    }

    @Test
    @Promise(3)
    void aPutThatRacesTheReadOfAnExpiredEntryIsNeverLost() {
        for (int round = 0; round < Effort.of(10, 30); round++) {
            group().put("key", "old", Duration.ofMillis(1));
            advanceMillis(1);
            String anew = "new" + round;
            Threads.together(6, thread -> switch (thread) {
                case 0 -> {
                    group().put("key", anew);
                    yield true;
                }
                case 1 -> group().delete("missing");
                case 2 -> store().purgeExpired() > 0;
                case 3 -> group().contains("key");
                case 4 -> group().getAll().isEmpty();
                default -> group().get("key").isPresent();
            });
            assertThat(group().get("key")).contains(anew);
        }
    }

    @Test
    @Promise(1)
    void aReaderNeverSeesAnEntryFlickerThatIsOverwrittenAllTheTime() {
        group().put("key", "0");
        AtomicBoolean writing = new AtomicBoolean(true);
        Threads.together(4, thread -> {
            if (thread == 0) {
                for (int i = 1; i < Effort.of(100, 300); i++) {
                    group().put("key", String.valueOf(i), Duration.ofHours(1));
                }
                writing.set(false);
                return true;
            }
            int last = 0;
            while (writing.get()) {
                int seen = Integer.parseInt(group().get("key").orElseThrow());
                assertThat(seen).isGreaterThanOrEqualTo(last);
                last = seen;
            }
            return true;
        });
    }

    @Test
    @Promise(8)
    void everyThreadReadsItsOwnWritesWhicheverConnectionItGets() {
        Threads.together(12, thread -> {
            for (int i = 0; i < Effort.of(12, 40); i++) {
                String key = thread + "." + i;
                group().put(key, "value");
                assertThat(group().get(key)).contains("value");
                assertThat(group().getAll()).containsKey(key);
                group().put(key, "other", Duration.ofHours(1));
                assertThat(group().entry(key).orElseThrow().value()).isEqualTo("other");
                assertThat(group().delete(key)).isTrue();
                assertThat(group().contains(key)).isFalse();
            }
            return thread;
        });
    }

    @Test
    @Promise(8)
    void aWriteIsSeenByOtherThreadsAsSoonAsItReturns() {
        AtomicInteger written = new AtomicInteger();
        int last = Effort.of(150, 500);
        Threads.together(3, thread -> {
            if (thread == 0) {
                for (int i = 1; i <= last; i++) {
                    group().put("key", String.valueOf(i));
                    written.set(i);
                }
                return true;
            }
            int known = 0;
            while (known < last) {
                known = written.get();
                int seen = group().get("key").map(Integer::valueOf).orElse(0);
                assertThat(seen).isGreaterThanOrEqualTo(known);
            }
            return true;
        });
    }

    @Test
    @Promise({8, 9})
    void everyWriteOfManyThreadsIsThereWithAVersionOfItsOwn() {
        int writes = Effort.of(20, 50);
        Threads.together(16, thread -> {
            for (int i = 0; i < writes; i++) {
                group().put(thread + "." + i, "value" + i);
            }
            return thread;
        });
        assertThat(group().count()).isEqualTo(16L * writes);
        assertThat(group().getAll().keySet().stream()
                        .map(key -> group().entry(key).orElseThrow().version()))
                .doesNotHaveDuplicates();
    }
}
