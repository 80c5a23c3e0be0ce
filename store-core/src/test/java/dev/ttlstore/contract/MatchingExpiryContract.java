package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySubscriber;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** A subscriber to a pattern of groups gets the expiries of the groups that match, and no others are recorded. */
@Promise({17, 18})
abstract class MatchingExpiryContract extends SubscriberArea {

    private static final GroupPattern SECRETS = new GroupPattern("*:secrets");

    private static final List<String> MATCHING = List.of("acme:secrets", "A-1:secrets", "-:secrets", "0:secrets");

    private static final List<String> OTHERS = List.of(
            "secrets",
            ":secrets",
            "::secrets",
            "acme:",
            "acme:secret",
            "acme:secrets2",
            "acme:secrets:secrets",
            "acme:more:secrets",
            "acme:more-secrets",
            "acme:Secrets",
            "acmesecrets",
            "not one:secrets",
            "no_one:secrets",
            "*:secrets",
            "[a]:secrets",
            "ä:secrets",
            "acmé:secrets",
            "\uD83D\uDD11:secrets",
            "a%:secrets");

    @Test
    void thePurgeRecordsTheGroupsThatMatchAndNoOthers() {
        subscribe(SECRETS).close();
        putAll();
        expireAll();
        assertThat(subscriber().pending()).isEqualTo(MATCHING.size());
        subscribe(SECRETS);
        awaitMatching();
    }

    @Test
    void writesThatFindExpiredEntriesRecordTheSame() {
        subscribe(SECRETS).close();
        putAll();
        advanceMillis(1_000);
        putAll();
        assertThat(subscriber().pending()).isEqualTo(MATCHING.size());
        subscribe(SECRETS);
        awaitMatching();
    }

    @Test
    void aScopeThatPurgesAndAGroupThatIsClearedRecordTheSame() {
        subscribe(SECRETS).close();
        putAll();
        advanceMillis(1_000);
        assertThat(store().scope("acme").purgeExpired()).isPositive();
        store().group("0:secrets").clear();
        store().group("secrets").clear();
        store().purgeExpired();
        assertThat(subscriber().pending()).isEqualTo(MATCHING.size());
        subscribe(SECRETS);
        awaitMatching();
    }

    private void awaitMatching() {
        Awaitility.await().untilAsserted(() -> assertThat(handled.entries())
                .extracting(ExpiredEntry::group)
                .containsExactlyInAnyOrderElementsOf(MATCHING));
        awaitNothingPending();
        assertThat(handled.keys()).containsOnly("key");
    }

    @Test
    void aNameWithAColonIsTheRestOfTheFullName() {
        subscribe(new GroupPattern("*:more:secrets"));
        putAll();
        expireAll();
        handled.await("key");
        awaitNothingPending();
        assertThat(handled.entries()).extracting(ExpiredEntry::group).containsExactly("acme:more:secrets");
    }

    @Test
    void aPatternIsReportedAsItWasGiven() {
        subscribe(SECRETS);
        assertThat(subscriber())
                .extracting(ExpirySubscriber::groups, ExpirySubscriber::prefix, ExpirySubscriber::active)
                .containsExactly("*:secrets", false, true);
        assertThat(store().scope("acme").expirySubscribers()).isEmpty();
    }

    @Test
    void aFullNameAndAStarAreTheGroupAndAllGroups() {
        Subscription one = subscribe(new GroupPattern("acme:secrets"));
        assertThat(subscriber())
                .extracting(ExpirySubscriber::groups, ExpirySubscriber::prefix)
                .containsExactly("acme:secrets", false);
        one.close();
        subscribe(new GroupPattern("*")).close();
        assertThat(subscriber())
                .extracting(ExpirySubscriber::groups, ExpirySubscriber::prefix)
                .containsExactly("", true);
        putAll();
        expireAll();
        assertThat(subscriber().pending()).isEqualTo(MATCHING.size() + OTHERS.size());
    }

    @Test
    void aSubscriberMayTurnFromAGroupToAPatternAndBack() {
        store().onExpired("mail", "secrets", handled).close();
        subscribe(SECRETS).close();
        putAll();
        expireAll();
        assertThat(subscriber().pending()).isEqualTo(MATCHING.size());
        Subscription unused = store().onExpired("mail", "secrets", handled);
        awaitMatching();
        assertThat(subscriber().groups()).isEqualTo("secrets");
        putAll();
        expireAll();
        handled.awaitCount(MATCHING.size() + 1);
        awaitNothingPending();
        assertThat(handled.entries())
                .hasSize(MATCHING.size() + 1)
                .last()
                .extracting(ExpiredEntry::group)
                .isEqualTo("secrets");
    }

    @Test
    void aGroupWhoseNameLooksLikeAPatternIsOneGroup() {
        Subscription unused = store().onExpired("mail", "*:secrets", handled);
        putAll();
        expireAll();
        handled.await("key");
        awaitNothingPending();
        assertThat(handled.entries()).extracting(ExpiredEntry::group).containsExactly("*:secrets");
    }

    @Test
    void whoNeedsNoValueGetsNone() {
        List<ExpiredEntry<Void>> told = new CopyOnWriteArrayList<>();
        Subscription unused = store().onExpiredMatching("mail", SECRETS, Void.class, told::add);
        store().scope("acme").counters("secrets").put("key", 7L, Duration.ofSeconds(1));
        expireAll();
        Awaitility.await().until(() -> told.size() == 1);
        assertThat(told.get(0).group()).isEqualTo("acme:secrets");
        assertThat(store().scope("acme").group("secrets").contains("key")).isFalse();
    }

    @Test
    void otherSubscribersGetTheirs() {
        Handled ofScope = new Handled();
        Subscription unused = store().scope("acme").onExpired("mail", "secrets", ofScope);
        subscribe(SECRETS);
        putAll();
        expireAll();
        awaitMatching();
        ofScope.await("key");
        assertThat(ofScope.entries()).extracting(ExpiredEntry::group).containsExactly("secrets");
    }

    @Test
    void aSubscriberToAPatternIsRemovedLikeOthers() {
        subscribe(SECRETS).close();
        assertThat(store().removeExpirySubscriber("mail")).isTrue();
        assertThat(store().expirySubscribers()).isEmpty();
    }

    @Test
    @Promise(12)
    void argumentsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().onExpiredMatching("acme:mail", SECRETS, Codec.text(), handled))
                .withMessageContaining("'subscriber' must not contain ':'");
        assertThatNullPointerException()
                .isThrownBy(() -> store().onExpiredMatching("mail", nothing(), Codec.text(), handled))
                .withMessageContaining("'groups'");
        assertThatNullPointerException()
                .isThrownBy(() -> store().onExpiredMatching("mail", SECRETS, Codec.text(), nothing()))
                .withMessageContaining("'handler'");
        assertThat(store().expirySubscribers()).isEmpty();
    }

    private Subscription subscribe(GroupPattern groups) {
        return store().onExpiredMatching("mail", groups, String.class, handled);
    }

    private void putAll() {
        MATCHING.forEach(this::put);
        OTHERS.forEach(this::put);
    }

    private void put(String group) {
        store().group(group).put("key", "value", Duration.ofSeconds(1));
    }
}
