package dev.ttlstore.contract;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.ValueTooLargeException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Groups whose values are sealed before they are stored. */
abstract class EncryptionContract extends SealedArea {

    /** A write that leaves {@link #PLAIN} under a key. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Write {
        PUT(group -> group.put("key", PLAIN)),
        PUT_WITH_TTL(group -> group.put("key", PLAIN, HOUR)),
        PUT_UNTIL(group -> group.put("key", PLAIN, MovableClock.START.plus(HOUR))),
        PUT_ALL(group -> group.putAll(Map.of("key", PLAIN, "other", PLAIN))),
        PUT_ALL_WITH_TTL(group -> group.putAll(Map.of("key", PLAIN), HOUR)),
        PUT_IF_ABSENT(group -> group.putIfAbsent("key", PLAIN)),
        PUT_IF_ABSENT_WITH_TTL(group -> group.putIfAbsent("key", PLAIN, HOUR)),
        ADD(group -> group.add(PLAIN)),
        REPLACE(group -> {
            group.put("key", "before");
            assertThat(group.replace("key", "before", PLAIN)).isPresent();
        }),
        REPLACE_VERSION(group -> {
            group.put("key", "before");
            long version = group.entry("key").orElseThrow().version();
            assertThat(group.replaceVersion("key", version, PLAIN)).isPresent();
        }),
        UPDATE(group -> {
            group.put("key", "before");
            assertThat(group.update("key", value -> value.equals("before") ? PLAIN : "wrong"))
                    .contains(PLAIN);
        }),
        GET_OR_PUT(group -> assertThat(group.getOrPut("key", HOUR, () -> PLAIN)).isEqualTo(PLAIN)),
        ASYNC_PUT(group -> group.async().put("key", PLAIN).join()),
        ASYNC_PUT_ALL(group -> group.async().putAll(Map.of("key", PLAIN)).join()),
        ASYNC_ADD(group -> group.async().add(PLAIN).join()),
        ASYNC_REPLACE(group -> {
            group.put("key", "before");
            assertThat(group.async().replace("key", "before", PLAIN).join()).isPresent();
        }),
        ASYNC_UPDATE(group -> {
            group.put("key", "before");
            assertThat(group.async().update("key", value -> PLAIN).join()).contains(PLAIN);
        });

        private final Consumer<TextGroup> work;

        Write(Consumer<TextGroup> work) {
            this.work = work;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverWritesStoresTheValueSealedAndEveryReadOpensIt(Write write) {
        write.work.accept(group());
        assertSealed(store(), "group");
        String key = group().keys().findFirst().orElseThrow();
        assertThat(group().get(key)).contains(PLAIN);
        assertThat(group().get(key)).as("from the cache").contains(PLAIN);
        assertThat(group().entry(key).map(Entry::value)).contains(PLAIN);
        assertThat(group().getAll()).containsEntry(key, PLAIN);
        assertThat(group().getAll(List.of(key))).containsEntry(key, PLAIN);
        assertThat(group().entries().map(Entry::value)).containsOnly(PLAIN);
        assertThat(group().page(null, 10)).extracting(Entry::value).containsOnly(PLAIN);
        assertThat(group().async().take(key).join()).contains(PLAIN);
        assertThat(group().get(key)).isEmpty();
    }

    @Test
    void textsAreCutAndRenderedAsTheyWereWritten() {
        group().put("name", "Ann Lee");
        assertThat(group().fields("name")).contains(List.of("Ann", "Lee"));
        assertThat(group().split("name", "n ")).contains(List.of("An", "Lee"));
        assertThat(group().render("Dear {{name}}")).isEqualTo("Dear Ann Lee");
        assertSealed(store(), "group");
    }

    @Test
    void anEmptyValueIsSealedToo() {
        group().put("key", "");
        assertThat(stored(store(), "group").get("key").orElseThrow()).isNotEmpty();
        assertThat(group().get("key")).contains("");
    }

    @Test
    void aGroupThatIsNotChosenIsStoredAsItIs() {
        store().group("free").put("key", PLAIN);
        assertThat(stored(store(), "free").get("key").orElseThrow()).asString().isEqualTo(PLAIN);
    }

    @Test
    void equalValuesAreStoredDifferently() {
        group().put("key", PLAIN);
        byte[] first = stored(store(), "group").get("key").orElseThrow();
        group().put("key", PLAIN);
        assertThat(stored(store(), "group").get("key").orElseThrow()).isNotEqualTo(first);
    }

    @Test
    @Promise(10)
    void valuesAreComparedOpened() {
        group().put("key", PLAIN);
        assertThat(group().replace("key", "another", "wrong")).isEmpty();
        assertThat(group().delete("key", "another")).isFalse();
        assertThat(group().replace("key", PLAIN, "second", HOUR)).isPresent();
        assertThat(group().delete("key", PLAIN)).isFalse();
        assertThat(group().async().delete("key", "second").join()).isTrue();
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void aNumberIsCountedOnOpened() {
        Counters counters = store().counters("group");
        assertThat(counters.increment("key")).isEqualTo(1);
        byte[] first = stored(store(), "group").get("key").orElseThrow();
        assertThat(counters.increment("key", 41, HOUR)).isEqualTo(42);
        assertThat(counters.async().increment("key").join()).isEqualTo(43);
        assertThat(counters.get("key")).contains(43L);
        assertThat(first).hasSizeGreaterThan(1);
    }

    @Test
    @Promise(10)
    void noIncrementIsLostAmongMany() {
        Threads.together(8, thread -> {
            for (int i = 0; i < 50; i++) {
                store().counters("group").increment("key");
            }
            return thread;
        });
        assertThat(store().counters("group").get("key")).contains(400L);
    }

    @Test
    @Promise(10)
    void ofManyThatTakeOneGetsTheValue() {
        for (int round = 0; round < 5; round++) {
            group().put("key", PLAIN);
            List<String> got = Threads.together(16, thread -> group().take("key")).stream()
                    .flatMap(Optional::stream)
                    .toList();
            assertThat(got).containsExactly(PLAIN);
        }
    }

    @Test
    @Promise(8)
    void aTransactionSeesItsOwnSealedWritesAndAllOfThemAreUndone() {
        group().put("key", PLAIN);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> store().transact(tx -> {
            TextGroup inside = tx.group("group");
            assertThat(inside.replace("key", PLAIN, "second")).isPresent();
            assertThat(inside.get("key")).contains("second");
            assertThat(tx.counters("other").increment("count")).isEqualTo(1);
            assertThat(inside.getAll()).containsEntry("key", "second");
            throw new IllegalStateException("on purpose");
        }));
        assertThat(group().get("key")).contains(PLAIN);
        Optional<String> taken = store().transact(tx -> tx.group("group").take("key"));
        assertThat(taken).contains(PLAIN);
    }

    @Test
    @Promise(18)
    void aGroupOfAScopeIsChosenByItsFullName() {
        Scope acme = store().scope("acme");
        acme.group("group").put("key", PLAIN);
        acme.group("free").put("key", PLAIN);
        assertSealed(acme, "group");
        assertThat(acme.group("group").get("key")).contains(PLAIN);
        assertThat(store().group("acme:group").get("key")).contains(PLAIN);
        assertThat(stored(acme, "free").get("key").orElseThrow()).asString().isEqualTo(PLAIN);
    }

    @Test
    void anUpdateSealsAnewAndKeepsTheExpiry() {
        group().put("key", PLAIN, HOUR);
        byte[] before = stored(store(), "group").get("key").orElseThrow();
        Instant end = group().entry("key").orElseThrow().expiresAt();
        group().keys().forEach(key -> group().update(key, value -> value));
        assertThat(stored(store(), "group").get("key").orElseThrow()).isNotEqualTo(before);
        assertThat(group().entry("key").orElseThrow().expiresAt()).isEqualTo(end);
    }

    @Test
    @Promise(12)
    void theLargestValueIsMeasuredBeforeItIsSealed() {
        open(settings().encrypt(this::isEncrypted, cipher).maxValueSize(5));
        group().put("key", PLAIN);
        assertThat(group().get("key")).contains(PLAIN);
        assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(() -> group().put("key", PLAIN + "!"));
    }

    @Test
    @Promise(19)
    void aQuotaCountsWhatIsStored() {
        Scope acme = store().scope("acme", new Quota(0, 0, 1_000));
        acme.group("group").put("key", PLAIN);
        assertThat(acme.usage().bytes())
                .isEqualTo(3 + stored(acme, "group").get("key").orElseThrow().length);
    }
}
