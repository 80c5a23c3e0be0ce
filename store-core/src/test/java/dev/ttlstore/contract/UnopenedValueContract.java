package dev.ttlstore.contract;

import java.util.List;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.TextGroup;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.exception.SealedValueException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Values that do not open, because somebody has moved or changed them. */
abstract class UnopenedValueContract extends SealedArea {

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
}
