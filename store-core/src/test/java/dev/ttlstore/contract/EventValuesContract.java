package dev.ttlstore.contract;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Group;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Values in events: only for those who ask, because values may be secrets. */
@Promise(13)
abstract class EventValuesContract extends ContractArea {

    private static final WatchOptions VALUES = WatchOptions.defaults().withValues();

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static EntryPut put(Watch watch) {
        WatchSignal signal = watch.poll().orElseThrow();
        return signal instanceof WatchSignal.Existing existing
                ? existing.entry()
                : (EntryPut) ((WatchSignal.Change) signal).event();
    }

    @Test
    void thoseWhoAskForValuesGetThemAndNobodyElse() {
        Recorder recorder = record();
        List<StoreEvent> valued = new ArrayList<>();
        Subscription subscription = store().onChange(StoreListener.withValues(valued::add));
        try (Watch plain = group().watch();
                Watch asking = group().watch(VALUES)) {
            group().put("key", "value");
            assertThat(put(plain).value()).isNull();
            EntryPut event = put(asking);
            assertThat(event.value()).isEqualTo(text("value"));
            assertThat(group().valueOf(event)).contains("value");
            assertThat(event.toString()).doesNotContain("value=");
        }
        assertThat(recorder.events(EntryPut.class)).singleElement().satisfies(put -> {
            assertThat(put.value()).isNull();
            assertThat(group().valueOf(put)).isEmpty();
        });
        assertThat(valued).singleElement().isInstanceOfSatisfying(EntryPut.class, put -> assertThat(put.value())
                .isEqualTo(text("value")));
        subscription.close();
        group().put("key", "other");
        assertThat(valued).hasSize(1);
        assertThat(recorder.events(EntryPut.class)).extracting(EntryPut::value).containsOnlyNulls();
    }

    @Test
    void aGroupAsksForAllItsReceivers() {
        open(settings().group("group", GroupSettings.defaults().withEventValues(true)));
        Recorder recorder = record();
        try (Watch watch = store().watch()) {
            group().put("key", "value");
            store().group("other").put("key", "value");
            assertThat(put(watch).value()).isEqualTo(text("value"));
            assertThat(put(watch).value()).isNull();
        }
        assertThat(recorder.events(EntryPut.class).get(0).value()).isEqualTo(text("value"));
        assertThat(recorder.events(EntryPut.class).get(1).value()).isNull();
    }

    @Test
    void aSealedValueIsOpenedForThoseWhoAsk() {
        open(settings().encrypt(group -> group.equals("group"), new AesGcm(1)));
        try (Watch watch = group().watch(VALUES)) {
            group().put("key", "secret");
            EntryPut event = put(watch);
            assertThat(event.value()).isEqualTo(text("secret"));
            assertThat(group().valueOf(event)).contains("secret");
        }
        try (Watch watch = group().watch(VALUES.withExisting())) {
            assertThat(put(watch).value()).isEqualTo(text("secret"));
        }
    }

    /** Opens values until it is broken, with what it then throws. */
    private static final class BreakableCipher implements ValueCipher {

        private final AtomicReference<@Nullable Supplier<Throwable>> failure = new AtomicReference<>();

        @Override
        public byte[] seal(String group, String key, byte[] value) {
            return value.clone();
        }

        @Override
        public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
            Supplier<Throwable> thrown = failure.get();
            if (thrown != null) {
                throwIt(thrown.get());
            }
            return sealed.clone();
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void throwIt(Throwable thrown) throws E {
            throw (E) thrown;
        }
    }

    /** Notes the names of the values that it opens. */
    private static final class WatchedCipher implements ValueCipher {

        private final List<String> opened = new CopyOnWriteArrayList<>();

        @Override
        public byte[] seal(String group, String key, byte[] value) {
            return value.clone();
        }

        @Override
        public byte[] open(String group, String key, byte[] sealed) {
            opened.add(group + "/" + key);
            return sealed.clone();
        }
    }

    @Test
    void aWatchOpensOnlyTheValuesThatItGives() {
        WatchedCipher cipher = new WatchedCipher();
        open(settings().encrypt(group -> true, cipher));
        try (Watch ofGroup = group().watch(VALUES);
                Watch ofKey = store().watch(VALUES.ofKey("wanted"));
                Watch ofScope = store().scope("acme").watch(VALUES);
                Watch plain = store().watch()) {
            store().group("secrets").put("key", "value");
            store().scope("other").group("group").put("key", "value");
            assertThat(cipher.opened).isEmpty();
            group().put("key", "value");
            group().put("wanted", "value");
            store().group("secrets").put("wanted", "value");
            store().scope("acme").group("group").put("key", "value");
            assertThat(cipher.opened).containsExactly("group/key", "group/wanted", "secrets/wanted", "acme:group/key");
            assertThat(put(ofGroup).value()).isEqualTo(text("value"));
            assertThat(put(ofKey).value()).isEqualTo(text("value"));
            assertThat(put(ofScope).value()).isEqualTo(text("value"));
            assertThat(put(plain).value()).isNull();
        }
    }

    @Test
    void aScopesListenerOpensOnlyTheValuesOfTheScope() {
        WatchedCipher cipher = new WatchedCipher();
        open(settings()
                .group("valued", GroupSettings.defaults().withEventValues(true))
                .encrypt(group -> true, cipher));
        List<StoreEvent> valued = new ArrayList<>();
        store().scope("acme").onChange(StoreListener.withValues(valued::add));
        group().put("key", "value");
        store().group("valued").put("key", "value");
        store().scope("acme2").group("group").put("key", "value");
        assertThat(cipher.opened).isEmpty();
        store().scope("acme").group("group").put("key", "value");
        assertThat(cipher.opened).containsExactly("acme:group/key");
        assertThat(valued).singleElement().isInstanceOfSatisfying(EntryPut.class, put -> assertThat(put.value())
                .isEqualTo(text("value")));
    }

    private static Stream<Supplier<Throwable>> failures() {
        return Stream.of(
                () -> new GeneralSecurityException("thrown on purpose"),
                () -> new IllegalStateException("thrown on purpose"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatCannotBeOpenedComesWithoutItsValue(Supplier<Throwable> failure) {
        BreakableCipher cipher = new BreakableCipher();
        open(settings().encrypt(group -> group.equals("group"), cipher));
        group().put("a", "value");
        group().put("b", "value");
        cipher.failure.set(failure);
        try (LogRecorder log = new LogRecorder("dev.ttlstore", Level.WARN);
                Watch existing = group().watch(VALUES.withExisting())) {
            assertThat(put(existing).value()).isNull();
            assertThat(put(existing).value()).isNull();
            assertThat(log.messages()).singleElement().asString().contains("'group'");
            assertThat(existing.poll()).containsInstanceOf(WatchSignal.UpToDate.class);
            group().put("c", "value");
            assertThat(put(existing).value()).isNull();
            assertThat(log.messages()).hasSize(2);
            cipher.failure.set(null);
            group().put("d", "value");
            assertThat(put(existing).value()).isEqualTo(text("value"));
        }
    }

    /** A listener that asks for values, or says so until it is broken. */
    private static final class BreakableListener implements StoreListener {

        private final List<StoreEvent> events = new ArrayList<>();
        private boolean broken;

        @Override
        public void onEvent(StoreEvent event) {
            events.add(event);
        }

        @Override
        public boolean wantsValues() {
            if (broken) {
                throw new IllegalStateException("thrown on purpose");
            }
            return true;
        }
    }

    @Test
    @Promise(14)
    void aListenerIsAskedOnceWhetherItWantsValues() {
        BreakableListener listener = new BreakableListener();
        Subscription subscription = store().onChange(listener);
        Recorder other = record();
        listener.broken = true;
        group().put("key", "value");
        assertThat(group().get("key")).contains("value");
        assertThat(listener.events).singleElement().isInstanceOfSatisfying(EntryPut.class, put -> assertThat(
                        put.value())
                .isEqualTo(text("value")));
        assertThat(other.events()).hasSize(1);
        subscription.close();
        group().delete("key");
        assertThat(listener.events).hasSize(1);
        assertThatIllegalStateException().isThrownBy(() -> store().onChange(listener));
        group().put("key", "again");
        assertThat(other.events()).hasSize(3);
    }

    @Test
    @Promise(14)
    void anErrorOfTheCipherReachesNeitherTheWriterNorOtherReceivers() {
        BreakableCipher cipher = new BreakableCipher();
        open(settings().encrypt(group -> group.equals("group"), cipher));
        List<StoreEvent> valued = new ArrayList<>();
        Subscription subscription = store().onChange(StoreListener.withValues(valued::add));
        Recorder other = record();
        try (Watch watch = group().watch(VALUES)) {
            cipher.failure.set(() -> new NoClassDefFoundError("thrown on purpose"));
            group().put("key", "value");
            assertThat(valued).singleElement().isInstanceOfSatisfying(EntryPut.class, put -> assertThat(put.value())
                    .isNull());
            assertThat(other.events()).hasSize(1);
            assertThat(put(watch).value()).isNull();
            assertThat(store().activity().listenerFailures()).isEqualTo(1);
        }
        subscription.close();
    }

    @Test
    void existingEntriesHaveTheirValuesToo() {
        store().counters("counters").increment("key", 41);
        Group<Long> counters = store().counters("counters");
        try (Watch watch = counters.watch(VALUES.withExisting())) {
            assertThat(counters.valueOf(put(watch))).contains(41L);
            assertThat(watch.poll()).containsInstanceOf(WatchSignal.UpToDate.class);
            store().counters("counters").increment("key");
            assertThat(counters.valueOf(put(watch))).contains(42L);
        }
    }

    @Test
    void aScopesListenerGetsValuesWithItsOwnNames() {
        List<StoreEvent> valued = new ArrayList<>();
        store().scope("acme").onChange(StoreListener.withValues(valued::add));
        store().scope("acme").group("group").put("key", "value");
        store().group("group").put("key", "value");
        assertThat(valued).singleElement().isInstanceOfSatisfying(EntryPut.class, put -> {
            assertThat(put.group()).isEqualTo("group");
            assertThat(put.value()).isEqualTo(text("value"));
        });
    }

    @Test
    void aTransactionsEventsHaveTheValuesThatItCommits() {
        try (Watch watch = group().watch(VALUES)) {
            store().transactWithoutResult(tx -> {
                tx.group("group").put("key", "first");
                tx.group("group").put("key", "second");
            });
            assertThat(put(watch).value()).isEqualTo(text("first"));
            assertThat(put(watch).value()).isEqualTo(text("second"));
        }
    }

    @Test
    void theBytesOfAnEventAreItsOwn() {
        Group<byte[]> bytes = store().group("bytes", byte[].class);
        byte[] mine = {1, 2, 3};
        try (Watch watch = bytes.watch(VALUES)) {
            bytes.put("key", mine);
            EntryPut event = put(watch);
            byte[] given = event.value();
            assertThat(given).containsExactly(1, 2, 3);
            java.util.Objects.requireNonNull(given)[0] = 9;
            assertThat(event.value()).containsExactly(1, 2, 3);
            assertThat(bytes.get("key").orElseThrow()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void eachKindOfEventHasItsName() {
        Recorder recorder = record();
        group().put("key", "value");
        group().delete("key");
        group().put("key", "value");
        group().expireNow("key");
        store().purgeExpired();
        group().put("key", "value");
        group().clear();
        assertThat(recorder.events())
                .extracting(StoreEvent::type)
                .containsExactly("put", "delete", "put", "expire", "put", "delete-group");
        assertThat(Optional.of(recorder.events().get(0)).map(StoreEvent::type)).contains("put");
    }
}
