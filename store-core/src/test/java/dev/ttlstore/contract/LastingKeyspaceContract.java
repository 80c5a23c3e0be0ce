package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Scopes, quotas, retention and transactions over the closing and opening of a store. */
abstract class LastingKeyspaceContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    @Test
    @Promise({18, 19})
    void usageIsExactAfterReopeningAndAQuotaIsSetAnew() {
        Scope scope = store().scope("acme", new Quota(4, 0, 0));
        scope.group("a").putAll(Map.of("1", "value", "2", "välue"));
        scope.group("b").put("expiring", "value", TTL);
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> scope.group("c").putAll(Map.of("1", "value", "2", "value")));
        advanceMillis(10);
        reopen();
        Scope again = store().scope("acme");
        assertThat(again.quota()).isEqualTo(Quota.UNLIMITED);
        assertThat(again.usage().keys()).isEqualTo(2);
        assertThat(again.usage()).isEqualTo(UsageContract.recount(again));
        store().scope("acme", new Quota(3, 0, 0));
        again.group("c").put("1", "value");
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> again.group("b").put("expiring", "value"));
        assertThat(again.usage()).isEqualTo(UsageContract.recount(again));
    }

    @Test
    @Promise({8, 11})
    void aTransactionLastsAsAWholeOrNotAtAll() {
        store().transact(tx -> {
            tx.group("a").put("key", "value");
            return tx.counters("b").increment("key");
        });
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("a").put("key", "other");
            tx.group("c").put("key", "value");
            throw new UnsupportedOperationException("on purpose");
        }));
        reopen();
        assertThat(store().groups()).containsExactly("a", "b");
        assertThat(store().group("a").get("key")).contains("value");
    }

    @Test
    @Promise({7, 11})
    void expiringEntriesAreFoundAfterReopening() {
        group().put("key", "value", TTL);
        reopen();
        assertThat(store().expiring(Instant.MIN, Instant.MAX).map(ExpiringEntry::key))
                .containsExactly("key");
    }

    @Test
    @Promise({1, 11})
    void retainedEntriesAreKeptOverReopeningAndForgottenInTime() {
        open(settings().retention(Duration.ofMillis(100)));
        group().put("key", "value", TTL);
        advanceMillis(10);
        store().purgeExpired();
        open(settings().retention(Duration.ofMillis(100)));
        assertThat(store().expired(Instant.MIN, Instant.MAX).map(entry -> entry.value(Codec.text())))
                .containsExactly("value");
        advanceMillis(100);
        store().purgeExpired();
        assertThat(store().expired(Instant.MIN, Instant.MAX)).isEmpty();
    }

    @Test
    @Promise({1, 11})
    void whatWasRetainedBeforeGoesWithTheFirstPurgeWithoutRetention() {
        open(settings().retention(Duration.ofHours(1)));
        group().put("key", "value", TTL);
        advanceMillis(10);
        store().purgeExpired();
        reopen();
        assertThat(retained()).containsExactly("value");
        store().purgeExpired();
        assertThat(retained()).isEmpty();
    }

    @Test
    @Promise({1, 11})
    void aChangedRetentionAppliesToWhatIsKeptAlready() {
        open(settings()
                .group("longer", RetentionContract.keptFor(100))
                .group("shorter", RetentionContract.keptFor(100)));
        store().group("longer").put("key", "longer", TTL);
        store().group("shorter").put("key", "shorter", TTL);
        advanceMillis(10);
        store().purgeExpired();
        advanceMillis(50);
        open(settings()
                .group("longer", RetentionContract.keptFor(1_000))
                .group("shorter", RetentionContract.keptFor(20)));
        store().purgeExpired();
        assertThat(retained()).containsExactly("longer");
        advanceMillis(500);
        store().purgeExpired();
        assertThat(retained()).containsExactly("longer");
        open(settings().retention(Duration.ofMillis(100))); // the group has no time of its own any more
        store().purgeExpired();
        assertThat(retained()).isEmpty();
    }

    private List<String> retained() {
        return store().expired(Instant.MIN, Instant.MAX)
                .map(entry -> entry.value(Codec.text()))
                .toList();
    }
}
