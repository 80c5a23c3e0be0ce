package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Bad arguments are refused by their name. */
@Promise(12)
abstract class ArgumentsContract extends ContractArea {

    @Test
    void aNullArgumentOfAGroupIsRefusedByItsName() {
        TextGroup group = group();
        refusesNull("key", () -> group.get(nothing()));
        refusesNull("key", () -> group.entry(nothing()));
        refusesNull("key", () -> group.contains(nothing()));
        refusesNull("key", () -> group.delete(nothing()));
        refusesNull("key", () -> group.take(nothing()));
        refusesNull("key", () -> group.persist(nothing()));
        refusesNull("key", () -> group.put(nothing(), "value"));
        refusesNull("key", () -> group.expire(nothing(), Duration.ofHours(1)));
        refusesNull("value", () -> group.put("key", nothing()));
        refusesNull("value", () -> group.put("key", nothing(), Duration.ofHours(1)));
        refusesNull("value", () -> group.put("key", nothing(), clock.instant().plusSeconds(1)));
        refusesNull("value", () -> group.add(nothing()));
        refusesNull("ttl", () -> group.put("key", "value", ContractArea.<Duration>nothing()));
        refusesNull("ttl", () -> group.add("value", ContractArea.<Duration>nothing()));
        refusesNull("ttl", () -> group.expire("key", ContractArea.<Duration>nothing()));
        refusesNull("expiresAt", () -> group.put("key", "value", ContractArea.<Instant>nothing()));
        refusesNull("expiresAt", () -> group.expire("key", ContractArea.<Instant>nothing()));
    }

    @Test
    void aNullArgumentOfAStoreIsRefusedByItsName() {
        Store store = store();
        refusesNull("group", () -> store.group(nothing()));
        refusesNull("group", () -> store.group(nothing(), String.class));
        refusesNull("type", () -> store.group("group", ContractArea.<Class<String>>nothing()));
        refusesNull("codec", () -> store.group("group", ContractArea.<Codec<String>>nothing()));
        refusesNull("listener", () -> store.onChange(nothing()));
    }

    @Test
    void aBadSettingIsRefusedByItsName() {
        refusesNull("path", () -> Store.builder().path(nothing()));
        refusesNull("clock", () -> builder().clock(nothing()));
        refusesNull("purgeInterval", () -> builder().purgeInterval(nothing()));
        refusesNull("durability", () -> builder().durability(nothing()));
        refusesNull("lockTimeout", () -> builder().lockTimeout(nothing()));
        refusesNull("codecs", () -> builder().codecs(nothing()));
        refuses("purgeInterval", () -> builder().purgeInterval(Duration.ofMillis(-1)));
        refuses("lockTimeout", () -> builder().lockTimeout(Duration.ofMillis(-1)));
        refuses("maxValueSize", () -> builder().maxValueSize(0));
        refuses("maxValueSize", () -> builder().maxValueSize(1_000_000_001));
    }

    @Test
    void aStoreWithoutAPlaceIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Store.builder().open())
                .withMessageContaining("path")
                .withMessageContaining("inMemory");
    }

    private static void refusesNull(String parameter, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage("'" + parameter + "' must not be null");
    }

    private static void refuses(String parameter, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith("'" + parameter + "' must");
    }
}
