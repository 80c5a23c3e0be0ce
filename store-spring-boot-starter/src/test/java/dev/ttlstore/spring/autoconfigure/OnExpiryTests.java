package dev.ttlstore.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;
import org.springframework.sample.SampleComponent;

import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TypeRef;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.spring.encryption.StoreKeyset;
import dev.ttlstore.spring.expiry.OnExpiry;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Methods with {@code @OnExpiry} are called for what expires, at least once. */
class OnExpiryTests {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private volatile Instant now = START;

    private final List<Object> told = new CopyOnWriteArrayList<>();

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withBean(InstantSource.class, () -> () -> now)
                .withBean("told", List.class, () -> told)
                .withPropertyValues("store.purge.enabled=false", "store.expiry.first-delay=10ms");
    }

    @Test
    void aMethodIsToldOfTheEntryThatHasExpired() {
        runner().withBean(EntryHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            Group<Invite> invites = store.group("invites", Invite.class);
            invites.put("key", new Invite("ann@example.org"), Duration.ofSeconds(1));
            long version = invites.entry("key").orElseThrow().version();
            store.group("other").put("key", "of no interest", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold(new ExpiredEntry<>(
                    "invites", "key", new Invite("ann@example.org"), version, START.plusSeconds(1), 1));
        });
    }

    @Test
    void methodsAreToldOfValuesOfTheirParametersClass() {
        runner().withBean(ValueHandlers.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("invites", Invite.class).put("key", new Invite("bob@example.org"), Duration.ofSeconds(1));
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            store.group("bytes", byte[].class).put("key", new byte[] {1, 2}, Duration.ofSeconds(1));
            store.group("longs", Long.class).put("key", 7L, Duration.ofSeconds(1));
            store.group("counts", Long.class).put("key", 8L, Duration.ofSeconds(1));
            expireAll(store);
            awaitTold(new Invite("bob@example.org"), "text", List.of((byte) 1, (byte) 2), 7L, 8L);
        });
    }

    @Test
    void aMethodThatNeedsNoValueIsToldOfEveryEntryWhateverItsValue() {
        runner().withBean(VoidHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("invites", Invite.class).put("json", new Invite("ann@example.org"), Duration.ofSeconds(1));
            store.group("invites").put("text", "no JSON", Duration.ofSeconds(1));
            store.group("invites", byte[].class).put("bytes", new byte[] {-1}, Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("json", "text", "bytes");
        });
    }

    @Test
    void aMethodThatNeedsNoValueIsToldOfOneThatWasSealedWithALostKey() {
        encrypted("lost")
                .run(context ->
                        context.getBean(Store.class).group("invites").put("key", "value", Duration.ofSeconds(1)));
        encrypted("other")
                .withBean(VoidHandler.class)
                .withBean(WantingHandler.class)
                .withPropertyValues("store.expiry.max-attempts=1")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    expireAll(store);
                    await().until(() -> store.deadLetters("wanting").count() == 1);
                    awaitTold("key");
                });
    }

    private ApplicationContextRunner encrypted(String keys) {
        Path keyset = folder.resolve(keys + ".json");
        boolean unused = StoreKeyset.create(keyset);
        return runner().withPropertyValues("store.encryption.groups=invites", "store.encryption.keyset=file:" + keyset);
    }

    @Test
    void aMethodOfAGenericClassIsToldOfTheClassThatItsSubclassSays() {
        runner().withBean(InviteHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("invites", Invite.class).put("key", new Invite("ann@example.org"), Duration.ofSeconds(1));
            expireAll(store);
            awaitTold(new Invite("ann@example.org"));
        });
    }

    @Test
    void methodsAreToldOfGenericValues() {
        runner().withBean(ListHandlers.class).withBean(ListHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            TypeRef<List<Invite>> type = new TypeRef<>() {};
            store.group("batches", type).put("key", List.of(new Invite("ann@example.org")), Duration.ofSeconds(1));
            store.scope("acme")
                    .group("batches", type)
                    .put("key", List.of(new Invite("bob@example.org")), Duration.ofSeconds(1));
            expireAll(store);
            awaitTold(
                    new Invite("ann@example.org"), // entry
                    new Invite("ann@example.org"), // value
                    new Invite("ann@example.org"), // subclass
                    new Invite("bob@example.org"), // scope
                    new Invite("bob@example.org")); // pattern
        });
    }

    @Test
    void aConflictOfTheMethodsTransactionIsNoFailureAndTheMethodIsCalledAgainAtOnce() {
        runner().withBean(ConflictingHandler.class, () -> new ConflictingHandler(told, new AtomicInteger()))
                .withPropertyValues("store.expiry.first-delay=1h", "store.expiry.max-delay=1h")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("invites").put("key", "value", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("value after 2 conflicts");
                    await().untilAsserted(() -> assertThat(store.expirySubscribers())
                            .singleElement()
                            .satisfies(subscriber -> {
                                assertThat(subscriber.handled()).isEqualTo(1);
                                assertThat(subscriber.failures()).isZero();
                            }));
                });
    }

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
    void aComponentInAPackageThatBeginsAsSpringsOwnIsServed() {
        runner().withBean(SampleComponent.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("samples").put("key", "value", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("sample value");
        });
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

    @Test
    void aMethodThatThrowsIsCalledAgain() {
        runner().withBean(FailingHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            expireAll(store);
            await().until(() -> told.contains("attempt 1"));
            // Again and again, because the delay counts from when the failure is noted.
            await().until(() -> {
                now = now.plusSeconds(1);
                return told.size() > 1;
            });
            awaitTold("attempt 1", "attempt 2");
        });
    }

    @Test
    void aDeadLetterNamesWhatTheMethodThrew() {
        runner().withBean(FailingHandler.class)
                .withPropertyValues("store.expiry.max-attempts=1")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("texts").put("key", "text", Duration.ofSeconds(1));
                    expireAll(store);
                    await().until(() -> store.deadLetters("mail").count() == 1);
                    assertThat(store.deadLetters("mail").stream().toList())
                            .singleElement()
                            .satisfies(letter -> assertThat(letter.lastError())
                                    .contains("IOException")
                                    .contains("on purpose"));
                });
    }

    @Test
    void aBeanBehindAProxyOfItsClassIsCalledThroughIt() {
        proxied(true).withBean("handler", PlainHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("proxy", "text");
        });
    }

    @Test
    void aBeanBehindAProxyOfItsInterfaceIsCalledThroughIt() {
        proxied(false).withBean("handler", InterfaceHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("proxy", "text");
        });
    }

    private ApplicationContextRunner proxied(boolean ofClass) {
        return runner().withBean(BeanNameAutoProxyCreator.class, () -> {
                    BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
                    creator.setBeanNames("handler");
                    creator.setInterceptorNames("interceptor");
                    creator.setProxyTargetClass(ofClass);
                    return creator;
                })
                .withBean("interceptor", MethodInterceptor.class, () -> invocation -> {
                    told.add("proxy");
                    return invocation.proceed();
                });
    }

    @Test
    void aLazyBeanIsCreatedForTheFirstExpiry() {
        runner().withBean(LazyHandler.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    assertThat(told).isEmpty();
                    store.group("texts").put("key", "text", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("created", "text");
                });
    }

    @Test
    void theUsersOwnStoreIsUsed() {
        runner().withBean(PlainHandler.class)
                .withBean(Store.class, Store::inMemory)
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("texts").put("key", "text", Duration.ofMillis(1));
                    awaitTold("text");
                });
    }

    @Test
    void textsNeedNoJackson() {
        runner().withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .withBean(PlainHandler.class)
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("texts").put("key", "text", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("text");
                });
    }

    @Test
    void aStoreWithoutMethodsHasNoSubscribers() {
        runner().run(context ->
                assertThat(context.getBean(Store.class).expirySubscribers()).isEmpty());
    }

    @Test
    void aNativeImageCanCallTheMethods() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, PlainHandler.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(PlainHandler.class.getDeclaredMethod("onExpired", String.class)))
                .accepts(hints);
    }

    private void expireAll(Store store) {
        now = now.plusSeconds(1);
        store.purgeExpired();
    }

    /** In any order: they are handled at the same time. */
    private void awaitTold(Object... expected) {
        await().untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder(expected));
    }

    record Invite(String mail) {}

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

    record EntryHandler(List<Object> told) {

        @OnExpiry(subscriber = "mail", group = "invites")
        void onExpired(ExpiredEntry<Invite> entry) {
            told.add(entry);
        }
    }

    record VoidHandler(List<Object> told) {

        @OnExpiry(subscriber = "mail", group = "invites")
        void onExpired(ExpiredEntry<Void> entry) {
            told.add(entry.value() == null ? entry.key() : "a value");
        }
    }

    record WantingHandler(List<Object> told) {

        @OnExpiry(subscriber = "wanting", group = "invites")
        void onExpired(String value) {
            told.add(value);
        }
    }

    record ValueHandlers(List<Object> told) {

        @OnExpiry(subscriber = "invites", group = "invites")
        void invite(Invite invite) {
            told.add(invite);
        }

        @OnExpiry(subscriber = "texts", group = "texts")
        public void text(String text) {
            told.add(text);
        }

        @OnExpiry(subscriber = "bytes", group = "bytes")
        void bytes(byte[] bytes) {
            told.add(List.of(bytes[0], bytes[1]));
        }

        @OnExpiry(subscriber = "longs", group = "longs")
        @SuppressWarnings("UnusedMethod")
        private void boxed(Long number) {
            told.add(number);
        }

        @OnExpiry(subscriber = "counts", group = "counts")
        void primitive(long number) {
            told.add(number);
        }
    }

    abstract static class GenericHandler<T> {

        private final List<Object> told;

        GenericHandler(List<Object> told) {
            this.told = told;
        }

        @OnExpiry(subscriber = "mail", group = "invites")
        void onExpired(ExpiredEntry<T> entry) {
            told.add(entry.value());
        }
    }

    record ListHandlers(List<Object> told) {

        @OnExpiry(subscriber = "entry", group = "batches")
        void entry(ExpiredEntry<List<Invite>> batch) {
            told.addAll(batch.value());
        }

        @OnExpiry(subscriber = "value", prefix = "bat")
        void value(List<Invite> batch) {
            told.addAll(batch);
        }

        @OnExpiry(subscriber = "scope", group = "batches", scope = "acme")
        void inScope(List<Invite> batch) {
            told.addAll(batch);
        }

        @OnExpiry(subscriber = "pattern", group = "*:batches")
        void pattern(ExpiredEntry<List<Invite>> batch) {
            told.addAll(batch.value());
        }
    }

    abstract static class GenericListHandler<T> {

        private final List<Object> told;

        GenericListHandler(List<Object> told) {
            this.told = told;
        }

        @OnExpiry(subscriber = "subclass", group = "batches")
        void onExpired(List<T> batch) {
            told.addAll(batch);
        }
    }

    static class ListHandler extends GenericListHandler<Invite> {

        ListHandler(List<Object> told) {
            super(told);
        }
    }

    static class InviteHandler extends GenericHandler<Invite> {

        InviteHandler(List<Object> told) {
            super(told);
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

    record FailingHandler(List<Object> told) {

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(ExpiredEntry<String> entry) throws IOException {
            told.add("attempt " + entry.attempt());
            if (entry.attempt() == 1) {
                throw new IOException("on purpose");
            }
        }
    }

    record ConflictingHandler(List<Object> told, AtomicInteger conflicts) {

        @OnExpiry(subscriber = "conflicting", group = "invites")
        void handle(String value) {
            if (conflicts.get() < 2) {
                conflicts.incrementAndGet();
                throw new TransactionConflictException("A row has changed", new IllegalStateException());
            }
            told.add(value + " after " + conflicts + " conflicts");
        }
    }

    static class PlainHandler {

        private final List<Object> told;

        PlainHandler(List<Object> told) {
            this.told = told;
        }

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(String value) {
            told.add(value);
        }
    }

    interface Texts {

        void onExpired(String value);
    }

    record InterfaceHandler(List<Object> told) implements Texts {

        @Override
        @OnExpiry(subscriber = "mail", group = "texts")
        public void onExpired(String value) {
            told.add(value);
        }
    }

    @Lazy
    static class LazyHandler {

        private final List<Object> told;

        LazyHandler(List<Object> told) {
            this.told = told;
            told.add("created");
        }

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(String value) {
            told.add(value);
        }
    }
}
