package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** A group that has a ttl of its own for what is written without one. */
@Promise(2)
abstract class GroupSettingsContract extends ContractArea {

    private static final Duration TTL = Duration.ofMinutes(30);
    private static final Duration HOUR = Duration.ofHours(1);

    @BeforeEach
    void configure() {
        GroupSettings settings = GroupSettings.defaults().withTtl(TTL);
        open(settings().group("group", settings).group("acme:group", settings));
    }

    private @Nullable Instant end(Group<?> group, String key) {
        return group.entry(key).map(Entry::expiresAt).orElse(null);
    }

    private Instant in(Duration time) {
        return clock.instant().plus(time);
    }

    @Test
    void everyWriteWithoutATtlTakesTheOneOfTheGroup() {
        group().put("put", "value");
        group().putAll(Map.of("all", "value"));
        assertThat(group().putIfAbsent("absent", "value")).isPresent();
        String added = group().add("value");
        group().put("replaced", "value", HOUR);
        assertThat(group().replace("replaced", "value", "other")).isPresent();
        group().put("version", "value", HOUR);
        long version = group().entry("version").orElseThrow().version();
        assertThat(group().replaceVersion("version", version, "other")).isPresent();
        group().async().put("async", "value").join();
        group().async().putAll(Map.of("async all", "value")).join();
        assertThat(group().async().putIfAbsent("async absent", "value").join()).isPresent();
        String addedLater = group().async().add("value").join();
        store().transact(tx -> {
            tx.group("group").put("transaction", "value");
            return true;
        });
        assertThat(group().keys().toList())
                .contains(added, addedLater)
                .hasSize(11)
                .allSatisfy(key -> assertThat(end(group(), key)).isEqualTo(in(TTL)));
        clock.advance(TTL);
        assertThat(group().count()).isZero();
    }

    @Test
    void aTtlThatIsGivenCountsAndSoDoesPersist() {
        group().put("given", "value", HOUR);
        group().put("until", "value", in(HOUR));
        group().put("kept", "value");
        assertThat(group().persist("kept")).isTrue();
        assertThat(end(group(), "given")).isEqualTo(in(HOUR));
        assertThat(end(group(), "until")).isEqualTo(in(HOUR));
        assertThat(end(group(), "kept")).isNull();
        assertThat(group().async().persist("given").join()).isTrue();
        assertThat(end(group(), "given")).isNull();
    }

    @Test
    void whatIsChangedKeepsTheExpiryThatStands() {
        group().put("key", "value", HOUR);
        assertThat(group().update("key", value -> "other")).contains("other");
        assertThat(end(group(), "key")).isEqualTo(in(HOUR));
    }

    @Test
    void aCounterTakesItWhereItIsCreated() {
        Counters counters = store().counters("group");
        assertThat(counters.increment("key")).isEqualTo(1);
        clock.advance(Duration.ofMinutes(10));
        assertThat(counters.increment("key")).isEqualTo(2);
        assertThat(counters.async().increment("other").join()).isEqualTo(1);
        assertThat(end(counters, "key")).isEqualTo(in(Duration.ofMinutes(20)));
        assertThat(end(counters, "other")).isEqualTo(in(TTL));
    }

    @Test
    @Promise(18)
    void itIsForTheGroupOfThatFullNameAlone() {
        TextGroup other = store().group("other");
        TextGroup inScope = store().scope("acme").group("group");
        TextGroup inOtherScope = store().scope("umbrella").group("group");
        for (TextGroup group : new TextGroup[] {other, inScope, inOtherScope}) {
            group.put("key", "value");
        }
        assertThat(end(other, "key")).isNull();
        assertThat(end(inScope, "key")).isEqualTo(in(TTL));
        assertThat(end(inOtherScope, "key")).isNull();
    }

    @Test
    void badSettingsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupSettings.defaults().withTtl(Duration.ZERO))
                .withMessageContaining("'ttl'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Store.builder().group("", GroupSettings.defaults()))
                .withMessageContaining("'name'");
        assertThatNullPointerException()
                .isThrownBy(() -> Store.builder().group("group", nothing()))
                .withMessageContaining("'settings'");
        assertThat(GroupSettings.defaults().withTtl(HOUR).withTtl(null)).isEqualTo(GroupSettings.defaults());
    }
}
