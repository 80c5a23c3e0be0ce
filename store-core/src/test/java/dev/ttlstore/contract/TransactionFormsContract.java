package dev.ttlstore.contract;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** The forms of a transaction's work, its scopes, and the texts of what users hold. */
@Promise(8)
abstract class TransactionFormsContract extends ContractArea {

    private static final String SECRET = "s3cr3t";

    @Test
    void workMayHaveNoAnswer() {
        store().transactWithoutResult(tx -> {
            tx.group("group").put("a", "value");
            tx.group("group").put("b", "value");
        });
        store().scope("acme").transactWithoutResult(tx -> tx.group("group").put("c", "value"));
        assertThat(group().keys()).containsExactly("a", "b");
        assertThat(store().group("acme:group").keys()).containsExactly("c");
        assertThatNullPointerException()
                .isThrownBy(() -> store().transactWithoutResult(nothing()))
                .withMessageContaining("'action'");
    }

    @Test
    @SuppressWarnings("NullAway") // javac 17 does not read annotations of type parameters from class files
    void workMayAnswerNull() {
        @Nullable
        String answer = store().<@Nullable String>transact(tx -> {
            tx.group("group").put("key", "value");
            return tx.group("group").get("missing").orElse(null);
        });
        assertThat(answer).isNull();
        assertThat(group().get("key")).contains("value");
    }

    @Test
    void conditionalWritesAndExpiriesSeeTheWritesOfTheirTransaction() {
        Duration hour = Duration.ofHours(1);
        group().put("present", "old", hour);
        store().transactWithoutResult(tx -> {
            TextGroup group = tx.group("group");
            assertThat(group.putIfPresent("missing", "value")).isEmpty();
            assertThat(group.putIfPresent("present", "new", Expiry.keep())).isPresent();
            assertThat(group.getAndPut("present", "newer")).contains("new");
            assertThat(group.getAndPutIfAbsent("present", "other")).contains("newer");
            assertThat(group.getAndPutIfAbsent("absent", "first", hour)).isEmpty();
            assertThat(group.getOrPut("loaded", () -> "loaded")).isEqualTo("loaded");
            assertThat(group.getOrPut("loaded", () -> "again")).isEqualTo("loaded");
            assertThat(group.updateOrDelete("loaded", value -> Optional.empty()))
                    .isEmpty();
            assertThat(group.contains("loaded")).isFalse();
            assertThat(group.getAndExpire("present", hour)).contains("newer");
            assertThat(group.expireNow("absent")).isTrue();
            assertThat(group.contains("absent")).isFalse();
            assertThat(group.expireNow("absent")).isFalse();
            String key = group.add("added", Expiry.after(hour));
            group.putAll(Map.of("many", "value"), Expiry.after(hour));
            assertThat(tx.counters("calls").increment("ann", 2, Expiry.after(hour)))
                    .isEqualTo(2);
            assertThat(group.deleteAll(List.of(key, "many", "missing"))).isEqualTo(2);
        });
        assertThat(group().keys()).containsExactly("present");
        assertThat(group().entry("present").orElseThrow().ttl()).isEqualTo(hour);
        assertThat(store().group("calls").entry("ann").orElseThrow().ttl()).isEqualTo(hour);
    }

    @Test
    @Promise(13)
    void clearingAGroupTellsFirstWhatHadExpiredInIt() {
        group().put("expired", "value", Duration.ofMillis(1));
        group().put("live", "value");
        store().group("other").put("expired", "value", Duration.ofMillis(1));
        advanceMillis(1);
        Recorder recorder = record();
        long cleared = store().transact(tx -> {
            tx.group("group").put("ended", "value");
            tx.group("group").expireNow("ended");
            return tx.group("group").clear() + tx.group("other").clear();
        });
        assertThat(cleared).isEqualTo(1);
        assertThat(recorder.events())
                .extracting(StoreEvent::type)
                .containsExactly("put", "expire", "expire", "delete-group", "expire");
        assertThat(store().purgeExpired()).isZero();
    }

    private static String fail(Transaction tx) throws IOException {
        tx.group("group").put("key", "value");
        throw new IOException("on purpose");
    }

    @Test
    void workMayThrowItsOwnCheckedExceptionWhichRollsBack() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store().transactChecked(TransactionFormsContract::fail))
                .withMessage("on purpose")
                .withNoCause();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store().scope("acme").transactCheckedWithoutResult(TransactionFormsContract::fail));
        RuntimeException mine = new IllegalStateException("mine");
        assertThatIllegalStateException()
                .isThrownBy(() -> store().transactWithoutResult(tx -> {
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(store().count()).isZero();
    }

    @Test
    @Promise({18, 19})
    void aTransactionReachesScopes() {
        Scope acme = store().scope("acme", new Quota(1, 0, 0));
        store().transactWithoutResult(tx -> {
            Keyspace inside = tx.scope("acme");
            inside.group("invites").put("key", "value");
            assertThat(inside.groups()).containsExactly("invites");
            assertThat(inside.count()).isEqualTo(1);
            tx.scope("globex").group("invites").put("key", "other");
            assertThat(tx.group("acme:invites").get("key")).contains("value");
        });
        assertThat(acme.group("invites").get("key")).contains("value");
        assertThat(store().scope("globex").group("invites").get("key")).contains("other");
        assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(() -> store().transactWithoutResult(
                        tx -> tx.scope("acme").group("invites").put("second", "value")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().transact(tx -> tx.scope("no:name")))
                .withMessageContaining("'namespace'");
        assertThatIllegalStateException()
                .isThrownBy(() -> acme.transact(tx -> tx.scope("globex")))
                .withMessageContaining("Store.transact");
        Keyspace leaked = store().transact(tx -> tx.scope("acme"));
        assertThatIllegalStateException().isThrownBy(leaked::count);
    }

    @Test
    void thePrefixOfNothingIsTheRangeOfAllKeys() {
        assertThat(KeyRange.prefix("")).isEqualTo(KeyRange.all());
        group().putAll(Map.of("a", "value", "\uD83D\uDE00", "value"));
        assertThat(group().entries(KeyRange.prefix(""))).hasSize(2);
    }

    @Test
    void whatUsersHoldHasATextWithoutKeysAndValues() {
        group().put(SECRET, SECRET);
        assertThat(group()).hasToString("Group[group]");
        assertThat(store().counters("counters")).hasToString("Group[counters]");
        assertThat(store().scope("acme").group("group")).hasToString("Group[acme:group]");
        assertThat(store().scope("acme")).hasToString("Scope[namespace=acme]");
        assertThat(store().toString()).startsWith("Store[").doesNotContain(SECRET);
        String text = store().transact(tx -> {
            tx.group("group").put(SECRET, SECRET);
            return tx.toString() + tx.group("group") + tx.scope("acme");
        });
        assertThat(text).isEqualTo("Transaction[]Group[group]Transaction[acme:]");
        assertThat(group().async().toString()).doesNotContain(SECRET);
    }
}
