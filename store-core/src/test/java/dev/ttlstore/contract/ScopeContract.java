package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Quota;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.Scope;
import dev.ttlstore.Usage;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Parts of a store that know nothing of each other. */
@Promise(18)
abstract class ScopeContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    /** Groups that look as if they were of the namespace, and are not. */
    private static final List<String> STRANGERS = List.of(
            "acme", "Acme:group", "acme-2:group", "acm:group", "acmee:group", ":group", "x:acme:group", "group");

    private Scope acme() {
        return store().scope("acme");
    }

    private void fillStrangers() {
        STRANGERS.forEach(name -> store().group(name).put("key", "stranger", TTL));
    }

    @Test
    void aGroupOfAScopeLivesInTheStoreUnderItsNamespace() {
        acme().group("group").put("key", "value");
        acme().counters("counters").increment("key");
        assertThat(store().groups()).containsExactly("acme:counters", "acme:group");
        assertThat(store().group("acme:group").get("key")).contains("value");
        store().group("acme:other").put("key", "value");
        assertThat(acme().groups()).containsExactly("counters", "group", "other");
        assertThat(acme().group("group").name()).isEqualTo("group");
        assertThat(acme().namespace()).isEqualTo("acme");
    }

    @Test
    void aGroupOfAScopeMayHaveAnyName() {
        for (String name : List.of("a:b", ":", "*", "%", "é", "other:group")) {
            acme().group(name).put("key", name);
            assertThat(acme().group(name).get("key")).contains(name);
            assertThat(store().group("acme:" + name).get("key")).contains(name);
        }
        assertThat(store().scope("other").count()).isZero();
        acme().group("g".repeat(1_019)).put("key", "value");
        assertThatIllegalArgumentException().isThrownBy(() -> acme().group("g".repeat(1_020)));
        assertThatIllegalArgumentException().isThrownBy(() -> acme().group(""));
    }

    @Test
    void aNamespaceIsLettersDigitsAndHyphens() {
        for (String name : List.of("a", "Z", "0", "-", "--", "acme-2", "A-z-09", "a".repeat(1_022))) {
            assertThat(store().scope(name).namespace()).isEqualTo(name);
            assertThat(store().scope(name).group("g").put("key", "value")).isPositive();
        }
        for (String name :
                List.of("", "a_b", "a:b", ":", "é", "a b", "a\n", "\n", "a*", "a.b", "٣", "ａ", "a".repeat(1_023))) {
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> store().scope(name))
                    .withMessageContaining("namespace")
                    .withMessageNotContaining("\n"); // it may come from a client, who could forge a line of a log
            assertThatIllegalArgumentException().isThrownBy(() -> store().scope(name, Quota.UNLIMITED));
        }
        assertThatNullPointerException().isThrownBy(() -> store().scope(nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().scope("acme", nothing()));
    }

    @Test
    void aScopeNeitherSeesNorCountsAnother() {
        fillStrangers();
        Scope acme = acme();
        assertThat(acme.groups()).isEmpty();
        assertThat(acme.groups("g")).isEmpty();
        assertThat(acme.count()).isZero();
        assertThat(acme.count("")).isZero();
        assertThat(acme.group("group").getAll()).isEmpty();
        assertThat(acme.group("group").keys()).isEmpty();
        assertThat(acme.group("group").contains("key")).isFalse();
        assertThat(acme.expiring(Instant.MIN, Instant.MAX)).isEmpty();
        assertThat(acme.usage()).isEqualTo(new Usage(0, 0, 0));
        advanceMillis(10);
        assertThat(acme.expired(Instant.MIN, Instant.MAX)).isEmpty();
        assertThat(acme.purgeExpired()).isZero();
        assertThat(acme.expired(Instant.MIN, Instant.MAX)).isEmpty();
        assertThat(store().stats().expired()).isEqualTo(STRANGERS.size());
    }

    @Test
    void aScopeTouchesNoOther() {
        fillStrangers();
        Scope acme = acme();
        acme.group("group").put("key", "own");
        assertThat(acme.deletePrefix("")).isEqualTo(1);
        assertThat(acme.deletePrefix("group")).isZero();
        assertThat(acme.deleteGroup("group")).isZero();
        assertThat(acme.group("group").clear()).isZero();
        assertThat(acme.group("group").delete("key")).isFalse();
        assertThat(acme.group("group").take("key")).isEmpty();
        assertThat(acme.group("group").expireAllNow()).isZero();
        assertThat(acme.group("group").sweep(Duration.ZERO)).isZero();
        assertThat(acme.group("group").putIfAbsent("key", "own")).isPresent();
        acme.transact(tx -> tx.deletePrefix(""));
        assertThat(store().count()).isEqualTo(STRANGERS.size());
        for (String name : STRANGERS) {
            assertThat(store().group(name).get("key")).contains("stranger");
        }
    }

    @Test
    void expiriesOfAScopeAreItsOwnAndUnderLocalNames() {
        fillStrangers();
        acme().group("group").put("key", "own", TTL);
        assertThat(acme().expiring(Instant.MIN, Instant.MAX).map(ExpiringEntry::group))
                .containsExactly("group");
        advanceMillis(10);
        assertThat(acme().expired(Instant.MIN, Instant.MAX).map(RetainedEntry::group))
                .containsExactly("group");
        assertThat(acme().purgeExpired()).isEqualTo(1);
        assertThat(store().purgeExpired()).isEqualTo(STRANGERS.size());
    }

    @Test
    @Promise({13, 18})
    void eventsOfAScopeHaveLocalNamesAndTheNumbersOfTheStore() {
        Recorder root = record();
        Recorder local = new Recorder();
        Subscription subscription = acme().onChange(local);
        fillStrangers();
        acme().group("a:b").put("put", "value", TTL);
        acme().group("a:b").put("deleted", "value");
        acme().group("a:b").delete("deleted");
        store().group("acme:other").put("key", "value");
        acme().deleteGroup("other");
        advanceMillis(10);
        store().purgeExpired();
        subscription.close();
        acme().group("a:b").put("late", "value");

        List<StoreEvent> own = root.events().stream()
                .filter(event -> event.group().startsWith("acme:"))
                .limit(local.events().size())
                .toList();
        assertThat(local.events())
                .extracting(StoreEvent::getClass)
                .containsExactly(
                        EntryPut.class,
                        EntryPut.class,
                        EntryDeleted.class,
                        EntryPut.class,
                        GroupDeleted.class,
                        EntryExpired.class);
        assertThat(local.events())
                .extracting(StoreEvent::group)
                .containsExactly("a:b", "a:b", "a:b", "other", "other", "a:b");
        assertThat(local.events())
                .extracting(StoreEvent::sequence)
                .isEqualTo(own.stream().map(StoreEvent::sequence).toList());
        assertThat(local.events())
                .extracting(StoreEvent::timestamp)
                .isEqualTo(own.stream().map(StoreEvent::timestamp).toList());
    }

    @Test
    @Promise({13, 18})
    void watchesOfAScopeHaveLocalNamesAndSeeNoOther() {
        Scope acme = acme();
        try (Watch all = acme.watch();
                Watch small = acme.watch(WatchOptions.defaults().withCapacity(1));
                Watch group = acme.watch("group");
                Watch key = acme.watch("group", "key");
                Watch ofGroup = acme.group("group").watch();
                Watch ofKey = acme.group("group").watch("key")) {
            fillStrangers();
            acme.group("group").put("key", "value");
            acme.group("group").put("other", "value");
            acme.group("other").put("key", "value");
            assertThat(groups(all)).containsExactly("group", "group", "other");
            assertThat(small.dropped()).isEqualTo(2);
            assertThat(groups(group)).containsExactly("group", "group");
            assertThat(groups(key)).containsExactly("group");
            assertThat(groups(ofGroup)).containsExactly("group", "group");
            assertThat(groups(ofKey)).containsExactly("group");
        }
    }

    private static List<String> groups(Watch watch) {
        List<String> groups = new ArrayList<>();
        watch.close();
        for (WatchSignal signal : watch) {
            groups.add(((WatchSignal.Change) signal).event().group());
        }
        return groups;
    }

    @Test
    void aTransactionOfTheStoreReachesAScopeByItsFullName() {
        store().transact(tx -> {
            tx.group("acme:group").put("key", "value");
            return tx.counters("acme:counters").increment("key");
        });
        assertThat(acme().group("group").getAll()).isEqualTo(Map.of("key", "value"));
        assertThat(acme().counters("counters").get("key")).contains(1L);
    }

    @Test
    @Promise({1, 18})
    void aPurgeOfAScopeForgetsNothingOfAnother() {
        open(settings().retention(Duration.ofMillis(100)));
        acme().group("group").put("key", "own", TTL);
        store().group("group").put("key", "stranger", TTL);
        advanceMillis(10);
        store().purgeExpired();
        assertThat(store().stats().retained()).isEqualTo(2);
        advanceMillis(100);
        acme().purgeExpired();
        assertThat(acme().expired(Instant.MIN, Instant.MAX)).isEmpty();
        assertThat(store().expired(Instant.MIN, Instant.MAX).map(RetainedEntry::group))
                .containsExactly("group");
    }

    @Test
    @Promise({18, 19})
    void aGroupWhoseNameIsThatOfTheNamespaceAloneCountsForItsScope() {
        Scope acme = store().scope("acme", new Quota(1, 0, 0));
        List<StoreEvent> told = new ArrayList<>();
        acme.onChange(told::add);
        store().group("acme:").put("key", "value");
        assertThat(told).hasSize(1);
        assertThat(acme.count()).isOne();
        assertThat(acme.groups()).as("names that the scope can use").isEmpty();
        assertThat(acme.usage().keys()).isOne();
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> acme.group("group").put("key", "value"));
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> store().group("acme:").put("other", "value"));
        assertThat(acme.deletePrefix("")).isOne();
        assertThat(store().group("acme:").contains("key")).isFalse();
    }
}
