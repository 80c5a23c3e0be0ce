package dev.ttlstore.contract;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Codec;
import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Groups whose values are sealed before they are stored. */
abstract class EncryptionContract extends ContractArea {

    private static final String PLAIN = "pl41n";
    private static final Duration HOUR = Duration.ofHours(1);

    /** Whether groups that are made now are encrypted; turned off, a test sees what is stored. */
    private final AtomicBoolean encrypted = new AtomicBoolean(true);

    private final ValueCipher cipher = new AesGcm(1);

    private static boolean isChosen(String group) {
        return group.equals("group") || group.equals("other") || group.endsWith(":group");
    }

    private boolean isEncrypted(String group) {
        return encrypted.get() && isChosen(group);
    }

    @BeforeEach
    void encrypt() {
        open(settings().encrypt(this::isEncrypted, cipher));
        store().deletePrefix("");
    }

    /** A group as it is stored. */
    private Group<byte[]> stored(Keyspace keyspace, String name) {
        encrypted.set(false);
        try {
            return keyspace.group(name, Codec.bytes());
        } finally {
            encrypted.set(true);
        }
    }

    private void assertSealed(Keyspace keyspace, String name) {
        assertThat(stored(keyspace, name).entries()).isNotEmpty().allSatisfy(entry -> assertThat(
                        new String(entry.value(), ISO_8859_1))
                .doesNotContain(PLAIN));
    }

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
    @Promise(17)
    void anExpiryHandlerGetsTheValueOpened() {
        Handled handled = new Handled();
        Subscription subscription = store().scope("acme").onExpired("mail", "group", handled);
        store().scope("acme").group("group").put("key", PLAIN, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        handled.await("key");
        assertThat(handled.entries().get(0).value()).isEqualTo(PLAIN);
        subscription.close();
    }

    @Test
    @Promise(17)
    void anExpiryWhoseValueDoesNotOpenIsAFailureThatIsTriedAgain() {
        Handled handled = new Handled();
        Subscription subscription = store().onExpired("mail", "group", handled);
        store().group("other").put("bad", PLAIN);
        byte[] bytes = stored(store(), "other").get("bad").orElseThrow();
        stored(store(), "group").put("bad", bytes, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> store().expirySubscribers().get(0).failures() == 1);
        assertThat(store().expirySubscribers().get(0).pending()).isEqualTo(1);
        assertThat(handled.entries()).isEmpty();
        subscription.close();
    }

    @Test
    @Promise(17)
    void anExpiryWhoseValueDoesNotOpenIsHandledAtOnceByWhoNeedsNoneAndADeadLetterOfWhoDoes() {
        open(settings()
                .encrypt(this::isEncrypted, cipher)
                .expiry(ExpirySettings.defaults().withMaxAttempts(1)));
        Handled handled = new Handled();
        List<ExpiredEntry<Void>> told = new CopyOnWriteArrayList<>();
        Subscription wanting = store().onExpired("mail", "group", handled);
        Subscription doingWithout = store().onExpired("count", "group", Void.class, told::add);
        fillWithBad();
        group().expire("bad", Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> store().deadLetters("mail").count() == 1 && told.size() == 1);
        assertThat(told)
                .singleElement()
                .extracting(ExpiredEntry::key, ExpiredEntry::attempt)
                .containsExactly("bad", 1);
        assertThat(handled.entries()).isEmpty();
        assertThat(store().deadLetters("mail").stream().map(DeadLetter::lastError))
                .allMatch(error -> error.startsWith(SealedValueException.class.getName()));
        assertThat(store().deadLetters("count").count()).isZero();
        wanting.close();
        doingWithout.close();
    }

    @Test
    @Promise(17)
    void whatNobodyNeedsIsNotOpened() {
        open(settings().encrypt(EncryptionContract::isChosen, new FaultyCipher(Fault.THROWS, false)));
        List<ExpiredEntry<Void>> told = new CopyOnWriteArrayList<>();
        Subscription subscription = store().onExpired("count", "group", Void.class, told::add);
        group().put("key", PLAIN, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> told.size() == 1);
        assertThat(store().expirySubscribers().get(0).failures()).isZero();
        subscription.close();
    }

    @Test
    void anExpiredEntryIsOpenedForAnAudit() {
        open(settings().encrypt(this::isEncrypted, cipher).retention(HOUR));
        store().scope("acme").group("group").put("key", PLAIN, Duration.ofMillis(1));
        store().group("free").put("key", PLAIN, Duration.ofMillis(1));
        advanceMillis(1);
        assertExpired();
        store().purgeExpired();
        assertExpired();
        assertThat(store().scope("acme").expired(Instant.MIN, Instant.MAX))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.group()).isEqualTo("group");
                    assertThat(entry.value(Codec.text())).isEqualTo(PLAIN);
                });
    }

    private void assertExpired() {
        assertThat(store().expired(Instant.MIN, Instant.MAX))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.value(Codec.text())).isEqualTo(PLAIN));
    }

    /** Another place to which somebody who can write the file moves a value, and back. */
    private void move(String fromGroup, String fromKey, String toGroup, String toKey) {
        byte[] bytes = stored(store(), fromGroup).get(fromKey).orElseThrow();
        stored(store(), toGroup).put(toKey, bytes);
    }

    @Test
    void aValueThatWasMovedToAnotherKeyOrGroupDoesNotOpen() {
        group().put("key", PLAIN);
        move("group", "key", "group", "copy");
        move("group", "key", "other", "key");
        move("group", "key", "acme:group", "key");
        assertThat(group().get("key")).contains(PLAIN);
        assertThatExceptionOfType(SealedValueException.class)
                .isThrownBy(() -> group().get("copy"))
                .satisfies(e -> assertThat(e.group()).isEqualTo("group"))
                .withMessageNotContainingAny("copy", PLAIN);
        assertThatExceptionOfType(SealedValueException.class)
                .isThrownBy(() -> store().group("other").get("key"));
        assertThatExceptionOfType(SealedValueException.class)
                .isThrownBy(() -> store().scope("acme").group("group").get("key"))
                .satisfies(e -> assertThat(e.group()).isEqualTo("acme:group"));
    }

    /** What looks at a value that does not open. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Look {
        GET(group -> group.get("bad").isPresent()),
        ENTRY(group -> group.entry("bad").isPresent()),
        GET_ALL(group -> group.getAll().containsKey("bad")),
        GET_ALL_OF_KEYS(group -> group.getAll(List.of("bad")).containsKey("bad")),
        ENTRIES_OF_KEYS(group -> group.entries(List.of("bad")).containsKey("bad")),
        ENTRIES(group -> group.entries().anyMatch(entry -> entry.key().equals("bad"))),
        TAKE(group -> group.take("bad").isPresent()),
        TAKE_ASYNC(group -> Threads.get(group.async().take("bad")).isPresent()),
        UPDATE(group -> group.update("bad", value -> "new").isPresent()),
        UPDATE_ASYNC(group ->
                Threads.get(group.async().update("bad", value -> "new")).isPresent()),
        REPLACE(group -> group.replace("bad", PLAIN, "new").isPresent()),
        DELETE(group -> group.delete("bad", PLAIN));

        private final Predicate<TextGroup> sees;

        Look(Predicate<TextGroup> sees) {
            this.sees = sees;
        }
    }

    private void fillWithBad() {
        store().group("other").put("bad", PLAIN);
        move("other", "bad", "group", "bad");
        group().put("good", "value");
    }

    @ParameterizedTest
    @EnumSource
    @Promise(8)
    void whatLooksAtAValueThatDoesNotOpenFailsAndChangesNothing(Look look) {
        fillWithBad();
        byte[] before = stored(store(), "group").get("bad").orElseThrow();
        assertThatExceptionOfType(SealedValueException.class).isThrownBy(() -> look.sees.test(group()));
        assertThat(stored(store(), "group").get("bad").orElseThrow()).isEqualTo(before);
        assertThat(group().get("good")).contains("value");
        assertThat(store().activity().unreadable()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatDoesNotOpenIsAbsentWhereTheStoreWasToldSo(Look look) {
        open(settings().encrypt(this::isEncrypted, cipher).unreadableValues(UnreadableValues.ABSENT));
        fillWithBad();
        byte[] before = stored(store(), "group").get("bad").orElseThrow();
        assertThat(look.sees.test(group())).isFalse();
        assertThat(store().activity().unreadable()).isPositive();
        assertThat(stored(store(), "group").get("bad").orElseThrow()).isEqualTo(before);
    }

    @Test
    void aNumberThatDoesNotOpenIsNotCountedOn() {
        open(settings().encrypt(this::isEncrypted, cipher).unreadableValues(UnreadableValues.ABSENT));
        fillWithBad();
        byte[] before = stored(store(), "group").get("bad").orElseThrow();
        assertThatExceptionOfType(SealedValueException.class)
                .isThrownBy(() -> store().counters("group").increment("bad"));
        assertThat(stored(store(), "group").get("bad").orElseThrow()).isEqualTo(before);
    }

    @Test
    void aValueThatDoesNotOpenCanBeOverwrittenAndDeleted() {
        fillWithBad();
        assertThat(group().contains("bad")).isTrue();
        assertThat(group().keys()).containsExactly("bad", "good");
        group().put("bad", PLAIN);
        assertThat(group().get("bad")).contains(PLAIN);
        move("other", "bad", "group", "bad");
        assertThat(group().delete("bad")).isTrue();
    }

    @Test
    void aChangedBitIsFoundOut() {
        group().put("key", PLAIN);
        byte[] bytes = stored(store(), "group").get("key").orElseThrow();
        bytes[bytes.length / 2] ^= 1;
        stored(store(), "group").put("key", bytes);
        assertThatExceptionOfType(SealedValueException.class).isThrownBy(() -> group().get("key"));
    }

    @Test
    void whatWasStoredBeforeTheEncryptionDoesNotOpen() {
        stored(store(), "group").put("key", PLAIN.getBytes(UTF_8));
        assertThatExceptionOfType(SealedValueException.class).isThrownBy(() -> group().get("key"));
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

    /** What a cipher may do wrong. */
    @SuppressWarnings("ImmutableEnumChecker") // the ciphers have no state
    enum Fault {
        THROWS {
            @Override
            byte[] apply(byte[] bytes) {
                throw new IllegalStateException("of " + PLAIN);
            }
        },
        ANSWERS_NULL {
            @Override
            byte[] apply(byte[] bytes) {
                return nothing();
            }
        };

        abstract byte[] apply(byte[] bytes);
    }

    /** Seals nothing, and does something wrong when it is asked to open, or to seal. */
    private record FaultyCipher(Fault fault, boolean whenSealing) implements ValueCipher {
        @Override
        public byte[] seal(String group, String key, byte[] value) {
            return whenSealing ? fault.apply(value) : value.clone();
        }

        @Override
        public byte[] open(String group, String key, byte[] sealed) {
            return fault.apply(sealed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCipherThatDoesNotWorkIsToldWithoutItsMessageAndNeverTakenForAnUnreadableValue(Fault fault) {
        for (boolean whenSealing : new boolean[] {true, false}) {
            open(settings()
                    .unreadableValues(UnreadableValues.ABSENT)
                    .encrypt(EncryptionContract::isChosen, new FaultyCipher(fault, whenSealing)));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> {
                        group().put("key", PLAIN);
                        group().get("key");
                    })
                    .isExactlyInstanceOf(StoreException.class)
                    .withNoCause()
                    .withMessageContaining("'group'")
                    .withMessageNotContainingAny(PLAIN, "key");
        }
    }

    @Test
    void aCipherThatCannotSealFailsTheWriteAlone() {
        ValueCipher refusing = new ValueCipher() {
            @Override
            public byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException {
                if (key.equals("bad")) {
                    throw new GeneralSecurityException(PLAIN);
                }
                return cipher.seal(group, key, value);
            }

            @Override
            public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
                return cipher.open(group, key, sealed);
            }
        };
        open(settings().encrypt(EncryptionContract::isChosen, refusing));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> group().putAll(Map.of("good", PLAIN, "bad", PLAIN)))
                .withMessageNotContainingAny(PLAIN);
        assertThat(group().count()).isZero();
        group().put("good", PLAIN);
        assertThat(Stream.of("good", "bad").filter(group()::contains)).containsExactly("good");
    }

    @Test
    void nothingIsRefusedWhereACipherIsExpected() {
        assertThatNullPointerException()
                .isThrownBy(() -> settings().encrypt(nothing(), cipher))
                .withMessageContaining("'names'");
        assertThatNullPointerException()
                .isThrownBy(() -> settings().encrypt(EncryptionContract::isChosen, nothing()))
                .withMessageContaining("'cipher'");
    }
}
