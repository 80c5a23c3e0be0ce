package dev.ttlstore.spring.expiry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TypeRef;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.encryption.StoreKeyset;

import static org.awaitility.Awaitility.await;

/** What a method with {@code @OnExpiry} is called with: the entry or its value, of the class that its parameter has. */
class OnExpiryValueTests extends ExpiringApplication {

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

    record Invite(String mail) {}

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
}
