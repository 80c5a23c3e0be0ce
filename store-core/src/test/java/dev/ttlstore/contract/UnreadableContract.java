package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Values that the group's codec cannot read, and a store that was told to take them for absent, or not. */
@Promise(8)
abstract class UnreadableContract extends ContractArea {

    /** A read of a value, and whether it has answered one. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Read {
        GET(group -> group.get("bad").isPresent()),
        ENTRY(group -> group.entry("bad").isPresent()),
        GET_ALL(group -> group.getAll().containsKey("bad")),
        GET_ALL_OF_KEYS(group -> group.getAll(List.of("bad", "good")).containsKey("bad")),
        ENTRIES_OF_KEYS(group -> group.entries(List.of("bad", "good")).containsKey("bad")),
        ENTRIES(group -> group.entries().anyMatch(entry -> entry.key().equals("bad"))),
        PAGE(group -> group.page(null, 10).size() == 2),
        TAKE(group -> group.take("bad").isPresent()),
        TAKE_ASYNC(group -> Threads.get(group.async().take("bad")).isPresent()),
        UPDATE(group -> group.update("bad", value -> 42L).isPresent());

        private final Predicate<Group<Long>> answers;

        Read(Predicate<Group<Long>> answers) {
            this.answers = answers;
        }
    }

    @BeforeEach
    void absent() {
        open(settings().unreadableValues(UnreadableValues.ABSENT));
        fill();
    }

    private void fill() {
        group().put("bad", "no number", Duration.ofHours(1));
        group().put("good", "1");
    }

    private Group<Long> numbers() {
        return store().group("group", Long.class);
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatCannotBeReadIsAbsentAndCountedAndKept(Read read) {
        assertThat(store().activity().unreadable()).isZero();
        assertThat(read.answers.test(numbers())).isFalse();
        assertThat(store().activity().unreadable()).isEqualTo(1);
        assertThat(group().get("bad")).contains("no number");
        assertThat(store().activity().unreadable()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatCannotBeReadIsRefusedUnlessTheStoreWasToldOtherwise(Read read) {
        open(settings());
        fill();
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> read.answers.test(numbers()));
        assertThat(group().get("bad")).contains("no number");
        assertThat(store().activity().unreadable()).isZero();
    }

    @Test
    void aReadThatFindsWhatCannotBeReadIsAMiss() {
        assertThat(numbers().get("bad")).isEmpty();
        assertThat(numbers().entry("bad")).isEmpty();
        assertThat(numbers().getAll(List.of("bad", "good"))).hasSize(1);
        assertThat(store().activity().entries().hits()).isEqualTo(1);
        assertThat(store().activity().entries().misses()).isEqualTo(3);
    }

    @Test
    void theOthersOfTheGroupAreReadAllTheSame() {
        assertThat(numbers().getAll()).containsOnlyKeys("good");
        assertThat(numbers().getAll(List.of("bad", "good"))).containsOnlyKeys("good");
        assertThat(numbers().entries().map(Entry::key)).containsExactly("good");
        assertThat(numbers().page(null, 1)).extracting(Entry::key).containsExactly("good");
    }

    @Test
    void theEntryIsThereForWhatDoesNotReadItsValue() {
        assertThat(numbers().contains("bad")).isTrue();
        assertThat(numbers().count()).isEqualTo(2);
        assertThat(numbers().keys()).containsExactly("bad", "good");
        assertThat(numbers().putIfAbsent("bad", 42L)).isEmpty();
        assertThat(numbers().expire("bad", Duration.ofMinutes(1))).isTrue();
        assertThat(numbers().persist("bad")).isTrue();
        assertThat(numbers().delete("bad")).isTrue();
        assertThat(store().activity().unreadable()).isZero();
    }

    @Test
    void aLoadedValueTakesItsPlace() {
        assertThat(numbers().getOrPut("bad", Duration.ofMinutes(5), () -> 42L)).isEqualTo(42);
        assertThat(numbers().entry("bad").orElseThrow().value()).isEqualTo(42);
        assertThat(numbers().entry("bad").orElseThrow().ttl()).isEqualTo(Duration.ofMinutes(5));
        assertThat(store().activity().unreadable()).isPositive();
    }

    @Test
    void aLoadedValueDoesNotTakeItsPlaceUnlessTheStoreWasToldSo() {
        open(settings());
        fill();
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> numbers().getOrPut("bad", Duration.ofMinutes(5), () -> 42L));
        assertThat(group().get("bad")).contains("no number");
    }

    @Test
    void aCounterThatIsNoNumberIsNotCountedOnAsIfItWereAbsent() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> store().counters("group").increment("bad"));
        assertThat(group().get("bad")).contains("no number");
    }

    @Test
    void aValueThatCannotBeEncodedIsRefusedAllTheSame() {
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> group().put("key", "a\uD83Db"));
    }
}
