package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;
import dev.ttlstore.TypeRef;
import dev.ttlstore.event.WatchOptions;

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
        refusesNull("key", () -> group.takeEntry(nothing()));
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
    void aNullArgumentOfAConditionalOrBulkWriteIsRefusedByItsName() {
        TextGroup group = group();
        refusesNull("expiry", () -> group.put("key", "value", ContractArea.<Expiry>nothing()));
        refusesNull("expiry", () -> group.add("value", ContractArea.<Expiry>nothing()));
        refusesNull("expiry", () -> group.expire("key", ContractArea.<Expiry>nothing()));
        refusesNull("expiry", () -> group.expireAll(ContractArea.<Expiry>nothing()));
        refusesNull("expiry", () -> group.expireAll(KeyRange.all(), nothing()));
        refusesNull("expiry", () -> group.expireAll(List.of("key"), nothing()));
        refusesNull("expiry", () -> group.getAndExpire("key", ContractArea.<Expiry>nothing()));
        refusesNull("ttl", () -> group.getAndExpire("key", ContractArea.<Duration>nothing()));
        refusesNull("key", () -> group.getAndExpire(nothing(), Duration.ofHours(1)));
        refusesNull("key", () -> group.expireNow(nothing()));
        refusesNull("key", () -> group.putIfPresent(nothing(), "value"));
        refusesNull("value", () -> group.putIfPresent("key", nothing()));
        refusesNull("value", () -> group.getAndPut("key", nothing()));
        refusesNull("value", () -> group.getAndPutIfAbsent("key", nothing()));
        refusesNull("change", () -> group.updateOrDelete("key", nothing()));
        refusesNull("loader", () -> group.getOrPut("key", nothing()));
        refusesNull("range", () -> group.clear(nothing()));
        refusesNull("range", () -> group.keys(ContractArea.<KeyRange>nothing()));
        refusesNull("range", () -> group.count(ContractArea.<KeyRange>nothing()));
        refusesNull("range", () -> group.page(nothing(), null, 1));
        refusesNull("range", () -> group.expireAll(ContractArea.<KeyRange>nothing(), Expiry.now()));
        refusesNull("keys", () -> group.deleteAll(nothing()));
        refusesNull("keys", () -> group.expireAll(ContractArea.<List<String>>nothing(), Expiry.now()));
        refusesNull("time", () -> group.createdBefore(nothing()));
        refusesNull("event", () -> group.valueOf(nothing()));
        refusesNull("options", () -> group.watch(ContractArea.<WatchOptions>nothing()));
        refuses("limit", () -> group.page(KeyRange.all(), null, 0));
        refusesNull("onCreate", () -> store().counters("c").increment("key", 1, ContractArea.<Expiry>nothing()));
        refusesNull("ttlOnCreate", () -> store().counters("c").increment("key", 1, ContractArea.<Duration>nothing()));
    }

    @Test
    void aNullArgumentOfAnExpiryIsRefusedByItsName() {
        refusesNull("ttl", () -> Expiry.after(nothing()));
        refusesNull("expiresAt", () -> Expiry.at(nothing()));
        refusesNull("ttl", () -> Expiry.afterCreation(nothing()));
        refusesNull("ttl", () -> Expiry.afterUpdate(nothing()));
        refusesNull("more", () -> Expiry.later(nothing()));
        refuses("ttl", () -> Expiry.after(Duration.ZERO));
        refuses("ttl", () -> Expiry.afterCreation(Duration.ofMillis(-1)));
        refuses("more", () -> Expiry.later(Duration.ofMillis(-1)));
    }

    @Test
    void aNullArgumentOfAStoreIsRefusedByItsName() {
        Store store = store();
        refusesNull("group", () -> store.group(nothing()));
        refusesNull("group", () -> store.group(nothing(), String.class));
        refusesNull("type", () -> store.group("group", ContractArea.<Class<String>>nothing()));
        refusesNull("codec", () -> store.group("group", ContractArea.<Codec<String>>nothing()));
        refusesNull("listener", () -> store.onChange(nothing()));
        refusesNull("type", () -> store.group("group", ContractArea.<TypeRef<String>>nothing()));
        refusesNull("expiry", () -> store.expirePrefix("", nothing()));
        refusesNull("maxAge", () -> store.sweep(nothing()));
        refusesNull("groups", () -> store.onExpiredMatching("name", nothing(), Void.class, entry -> {}));
        TypeRef<String> noType = nothing();
        refusesNull("type", () -> store.onExpired("name", "group", noType, entry -> {}));
        refusesNull("type", () -> store.onExpiredPrefix("name", "", noType, entry -> {}));
        refusesNull("type", () -> store.onExpiredMatching("name", new GroupPattern("*"), noType, entry -> {}));
        refusesNull("options", () -> store.watch(ContractArea.<WatchOptions>nothing()));
        refusesNull("work", () -> store.transact(ContractArea.<Function<Transaction, String>>nothing()));
        refusesNull("action", () -> store.transactWithoutResult(nothing()));
        refusesNull("action", () -> store.transactCheckedWithoutResult(nothing()));
    }

    @Test
    void aBadSettingIsRefusedByItsName() {
        refusesNull("path", () -> Store.builder().path(nothing()));
        refusesNull("clock", () -> builder().clock(nothing()));
        refusesNull("purgeInterval", () -> builder().purgeInterval(nothing()));
        refusesNull("durability", () -> builder().durability(nothing()));
        refusesNull("lockTimeout", () -> builder().lockTimeout(nothing()));
        refusesNull("codecs", () -> builder().codecs(nothing()));
        refusesNull("executor", () -> builder().futureExecutor(nothing()));
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
