package dev.ttlstore.contract;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.CacheActivity;
import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assumptions.assumeThat;

/** What is read again is as it stands, however often it was read before. */
abstract class CacheContract extends ContractArea {

    private void putAndRead(String key, Duration ttl) {
        group().put(key, "value", ttl);
        assertThat(group().get(key)).contains("value");
        assertThat(group().get(key)).contains("value");
    }

    @Test
    @Promise(1)
    void anEntryThatWasReadExpiresToTheMillisecond() {
        putAndRead("key", Duration.ofMillis(10));
        advanceMillis(9);
        assertThat(group().get("key")).contains("value");
        advanceMillis(1);
        assertThat(group().get("key")).isEmpty();
        assertThat(group().entry("key")).isEmpty();
        assertThat(group().contains("key")).isFalse();
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    @Promise({1, 3})
    void anEntryThatWasReadAndIsRenewedLivesOn() {
        putAndRead("key", Duration.ofMillis(10));
        assertThat(group().expire("key", Duration.ofMillis(20))).isTrue();
        advanceMillis(19);
        assertThat(group().get("key")).contains("value");
        assertThat(group().persist("key")).isTrue();
        advanceMillis(1_000);
        assertThat(group().get("key")).contains("value");
    }

    @Test
    @Promise({1, 2})
    void anEntryThatWasReadAndHasExpiredIsThereWhenItIsPutAnew() {
        putAndRead("key", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(group().get("key")).isEmpty();
        assertThat(group().putIfAbsent("key", "anew")).isPresent();
        assertThat(group().get("key")).contains("anew");
    }

    @Test
    @Promise(6)
    void anEntryThatWasReadIsGoneWhenItIsPurged() {
        putAndRead("key", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        group().put("key", "anew");
        assertThat(group().get("key")).contains("anew");
        assertThat(group().getAll()).containsOnlyKeys("key");
        assertThat(group().count()).isEqualTo(1);
    }

    @Test
    void anEntryThatWasReadAndPurgedIsDroppedWhenItIsAskedForAgain() {
        putAndRead("key", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        CacheActivity before = store().activity().cache();
        assertThat(group().get("key")).isEmpty();
        CacheActivity after = store().activity().cache();
        assertThat(after.hits()).isEqualTo(before.hits());
        assertThat(after.bytes()).isZero();
    }

    @Test
    @Promise({6, 8, 9})
    void whatIsPutAfterThePurgeOfAnEntryThatWasReadIsStored() {
        for (String key : List.of("put", "absent", "added", "together")) {
            putAndRead(key, Duration.ofMillis(10));
        }
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(4);
        group().put("put", "anew");
        assertThat(group().putIfAbsent("absent", "anew")).isPresent();
        assertThat(group().putIfAbsent("absent", "again")).isEmpty();
        assertThat(store().counters(group().name()).increment("added")).isEqualTo(1);
        String name = group().name();
        boolean done = store().transact(tx -> {
            tx.group(name).put("together", "anew");
            return true;
        });
        assertThat(done).isTrue();
        assertThat(group().keys()).containsExactly("absent", "added", "put", "together");
        assertThat(group().clear()).isEqualTo(4);
        assertThat(store().activity().entries().expired()).isEqualTo(4);
    }

    @Test
    @Promise(8)
    void everyWayToRemoveAnEntryThatWasReadRemovesIt() {
        Duration hour = Duration.ofHours(1);
        putAndRead("key", hour);
        assertThat(group().delete("key")).isTrue();
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(group().take("key")).contains("value");
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(group().clear()).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(store().deletePrefix("gro")).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(group().expireAllNow()).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(group().sweep(Duration.ZERO)).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(group().async().clear().join()).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
        putAndRead("key", hour);
        assertThat(store().<Long>transact(tx -> tx.group("group").clear())).isEqualTo(1);
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    @Promise(8)
    void everyWayToChangeAnEntryThatWasReadChangesIt() {
        putAndRead("key", Duration.ofHours(1));
        group().put("key", "1");
        assertThat(group().get("key")).contains("1");
        assertThat(group().replace("key", "1", "2")).isPresent();
        assertThat(group().get("key")).contains("2");
        assertThat(group().update("key", value -> value + 0)).contains("20");
        assertThat(group().get("key")).contains("20");
        assertThat(store().counters("group").increment("key", 1)).isEqualTo(21);
        assertThat(group().get("key")).contains("21");
        group().async().put("key", "22").join();
        assertThat(group().get("key")).contains("22");
        store().transact(tx -> {
            tx.group("group").put("key", "23");
            assertThat(tx.group("group").get("key")).contains("23");
            return true;
        });
        assertThat(group().get("key")).contains("23");
    }

    @Test
    @Promise(18)
    void aScopeAndItsStoreSeeTheSame() {
        Scope acme = store().scope("acme");
        store().group("acme:group").put("key", "1");
        assertThat(acme.group("group").get("key")).contains("1");
        acme.group("group").put("key", "2");
        assertThat(store().group("acme:group").get("key")).contains("2");
        assertThat(acme.deletePrefix("")).isEqualTo(1);
        assertThat(store().group("acme:group").get("key")).isEmpty();
    }

    @Test
    @Promise(8)
    void aListenerReadsWhatItIsToldOf() {
        putAndRead("key", Duration.ofHours(1));
        String[] seen = new String[1];
        store().onChange(event -> seen[0] = group().get("key").orElse("absent"));
        group().put("key", "new");
        assertThat(seen[0]).isEqualTo("new");
        assertThat(group().delete("key")).isTrue();
        assertThat(seen[0]).isEqualTo("absent");
    }

    @Test
    @Promise(9)
    void anEntryThatWasReadHasItsVersionAndItsTimes() {
        putAndRead("key", Duration.ofHours(1));
        var first = group().entry("key").orElseThrow();
        advanceMillis(5);
        group().put("key", "new", Duration.ofHours(2));
        var second = group().entry("key").orElseThrow();
        assertThat(second.version()).isGreaterThan(first.version());
        assertThat(second.createdAt()).isEqualTo(first.createdAt());
        assertThat(second.updatedAt()).isEqualTo(first.updatedAt().plusMillis(5));
        assertThat(second.ttl()).isEqualTo(Duration.ofHours(2));
    }

    /** A codec that hands out the array that it keeps, keeps the one that it is given, and changes both. */
    private static final class KeepingCodec implements Codec<String> {

        private byte[] given = new byte[0];
        private byte[] returned = new byte[0];

        @Override
        public byte[] encode(String value) {
            returned = value.getBytes(UTF_8);
            return returned;
        }

        @Override
        public String decode(byte[] bytes) {
            given = bytes;
            return new String(bytes, UTF_8);
        }

        private void scribble() {
            Arrays.fill(given, (byte) '?');
            Arrays.fill(returned, (byte) '?');
        }
    }

    @Test
    @Promise(12)
    void whatACodecDoesToItsArraysChangesNoEntry() {
        KeepingCodec codec = new KeepingCodec();
        Group<String> kept = store().group("group", codec);
        kept.put("key", "value");
        codec.scribble();
        assertThat(kept.get("key")).contains("value");
        codec.scribble();
        assertThat(kept.get("key")).contains("value");
        kept.put("key", "other");
        codec.scribble();
        assertThat(group().get("key")).contains("other");
        assertThat(kept.getAll()).containsEntry("key", "other");
        codec.scribble();
        assertThat(kept.replace("key", "other", "last")).isPresent();
        codec.scribble();
        assertThat(kept.take("key")).contains("last");
    }

    @Test
    void theActivityTellsWhatTheCacheHasDone() {
        assumeThat(contract().isExclusive()).isTrue();
        open(settings().cacheSize(1_000_000));
        group().put("key", "value");
        assertThat(store().activity().cache().bytes()).isZero();
        assertThat(group().get("absent")).isEmpty();
        assertThat(group().get("key")).contains("value");
        assertThat(group().get("key")).contains("value");
        CacheActivity cache = store().activity().cache();
        assertThat(cache.hits()).isEqualTo(1);
        assertThat(cache.misses()).isEqualTo(2);
        assertThat(cache.evictions()).isZero();
        assertThat(cache.bytes()).isBetween(100L, 1_000L);
    }

    @Test
    void aStoreWithoutACacheCountsNothing() {
        open(settings().cacheSize(0));
        putAndRead("key", Duration.ofHours(1));
        CacheActivity cache = store().activity().cache();
        assertThat(cache.hits() + cache.misses() + cache.evictions() + cache.bytes())
                .isZero();
    }

    @Test
    void aSmallCacheDropsWhatDoesNotFit() {
        assumeThat(contract().isExclusive()).isTrue();
        open(settings().cacheSize(2_000));
        for (int i = 0; i < 100; i++) {
            putAndRead("key" + i, Duration.ofHours(1));
        }
        CacheActivity cache = store().activity().cache();
        assertThat(cache.bytes()).isLessThanOrEqualTo(2_000);
        assertThat(cache.evictions()).isGreaterThan(90);
    }
}
