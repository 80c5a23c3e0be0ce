package dev.ttlstore.spring.expiry;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySubscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Which groups a method with {@code @OnExpiry} is called for: by name, property, pattern, prefix or scope. */
class OnExpiryGroupTests extends ExpiringApplication {

    @Test
    void namesCanBePropertiesOfTheApplication() {
        runner().withBean(PropertyHandler.class)
                .withPropertyValues("invites.group=invites", "tenant=acme")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("acme:invites").put("key", "value", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("acme value");
                    assertThat(store.scope("acme").expirySubscribers())
                            .singleElement()
                            .satisfies(
                                    subscriber -> assertThat(subscriber.name()).isEqualTo("property-mail"));
                });
    }

    @Test
    void aPatternIsTheGroupOfThatNameInEveryScopeAsForEncryption() {
        withPattern("*:secrets").run(context -> {
            Store store = context.getBean(Store.class);
            putInScopes(store);
            expireAll(store);
            awaitTold("acme:secrets value", "umbrella:secrets value");
            await().untilAsserted(() -> assertThat(store.expirySubscribers())
                    .singleElement()
                    .satisfies(subscriber -> {
                        assertThat(subscriber.groups()).isEqualTo("*:secrets");
                        assertThat(subscriber.pending()).isZero();
                        assertThat(subscriber.handled()).isEqualTo(2);
                    }));
        });
    }

    @Test
    void aMethodWithAPatternIsToldOfWhatHasExpiredWithoutItAndNothingElseIsRecorded() {
        withPattern("*:secrets").run(context -> putInScopes(context.getBean(Store.class)));
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            expireAll(store);
            assertThat(store.expirySubscribers())
                    .singleElement()
                    .satisfies(subscriber -> assertThat(subscriber.pending()).isEqualTo(2));
        });
        assertThat(told).isEmpty();
        withPattern("*:secrets").run(context -> awaitTold("acme:secrets value", "umbrella:secrets value"));
    }

    @Test
    void aStarIsEveryGroup() {
        withPattern("*").run(context -> {
            Store store = context.getBean(Store.class);
            putInScopes(store);
            expireAll(store);
            awaitTold(
                    "acme:secrets value",
                    "umbrella:secrets value",
                    "secrets value",
                    "acme:mail value",
                    "acme:more:secrets value");
        });
    }

    private ApplicationContextRunner withPattern(String pattern) {
        return runner().withBean(PatternHandler.class).withPropertyValues("expiring=" + pattern);
    }

    private static void putInScopes(Store store) {
        for (String group : List.of("acme:secrets", "umbrella:secrets", "secrets", "acme:mail", "acme:more:secrets")) {
            store.group(group).put("key", "value", Duration.ofSeconds(1));
        }
    }

    @Test
    void groupsCanBeNamedByHowTheyBegin() {
        runner().withBean(PrefixHandlers.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("user-1").put("key", "one", Duration.ofSeconds(1));
            store.group("other").put("key", "two", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("user one", "any one", "any two");
        });
    }

    @Test
    void aMethodOfAScopeIsToldOfItsOwn() {
        runner().withBean(ScopeHandlers.class).run(context -> {
            Store store = context.getBean(Store.class);
            for (Keyspace keyspace : List.of(store, store.scope("acme"), store.scope("other"))) {
                keyspace.group("texts").put("key", "text", Duration.ofSeconds(1));
            }
            expireAll(store);
            awaitTold("acme texts", "store texts");
            assertThat(store.expirySubscribers())
                    .extracting(ExpirySubscriber::name)
                    .containsExactly("acme:mail", "mail");
        });
    }

    record PropertyHandler(List<Object> told) {

        @OnExpiry(subscriber = "property-mail", group = "${invites.group}", scope = "${tenant}")
        void onExpired(String value) {
            told.add("acme " + value);
        }
    }

    record PatternHandler(List<Object> told) {

        @OnExpiry(subscriber = "pattern", group = "${expiring}")
        void onExpired(ExpiredEntry<String> entry) {
            told.add(entry.group() + " " + entry.value());
        }
    }

    record PrefixHandlers(List<Object> told) {

        @OnExpiry(subscriber = "users", prefix = "user-")
        void user(String value) {
            told.add("user " + value);
        }

        @OnExpiry(subscriber = "all", prefix = "")
        void any(String value) {
            told.add("any " + value);
        }
    }

    record ScopeHandlers(List<Object> told) {

        @OnExpiry(subscriber = "mail", group = "texts", scope = "acme")
        void ofScope(ExpiredEntry<String> entry) {
            told.add("acme " + entry.group());
        }

        @OnExpiry(subscriber = "mail", group = "texts")
        void ofStore(ExpiredEntry<String> entry) {
            told.add("store " + entry.group());
        }
    }
}
