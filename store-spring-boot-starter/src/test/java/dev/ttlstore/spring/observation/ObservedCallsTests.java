package dev.ttlstore.spring.observation;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.support.AopUtils;

import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.Watch;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

/** Each call of a store that reads or writes entries is an observation, which tells no key and no value. */
class ObservedCallsTests {

    /** They read or write no entries. Neither are those observed that return a stream, which the caller reads later. */
    private static final Set<String> NOT_OBSERVED = Set.of(
            "activity",
            "backups",
            "check",
            "close",
            "closeWatches",
            "deadLetters",
            "expirySubscribers",
            "name",
            "namespace",
            "now",
            "observe",
            "onChange",
            "onExpired",
            "onExpiredMatching",
            "onExpiredPrefix",
            "path",
            "quota",
            "removeExpirySubscriber",
            "stats",
            "stored",
            "usage",
            "valueOf",
            "watch");

    private final ObservedStore observed = new ObservedStore();

    @BeforeEach
    void putAnEntry() {
        observed.plain.group("listed").put(Calls.KEY, Calls.VALUE, Calls.TTL);
        observed.plain.scope("acme").group("listed").put(Calls.KEY, Calls.VALUE);
    }

    @AfterEach
    void close() {
        observed.close();
    }

    static Stream<Calls.Call> calls() {
        return Calls.all();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aCallIsAnObservationWithItsOutcome(Calls.Call call) {
        Throwable thrown = catchThrowable(() -> call.work().run(observed.store));
        StoreObservationContext context = observed.next();
        if (!observed.soFar().isEmpty()) { // an earlier call was preparation
            context = observed.next();
        }
        assertThat(context.getName()).isEqualTo("store.calls");
        assertThat(context.getContextualName()).isEqualTo("store " + call.operation());
        assertThat(context.getHighCardinalityKeyValues()).isEmpty();
        assertThat(context.getLowCardinalityKeyValues())
                .containsExactlyInAnyOrder(
                        KeyValue.of("name", ObservedStore.NAME),
                        KeyValue.of("operation", call.operation()),
                        KeyValue.of("group", call.group()),
                        KeyValue.of("outcome", call.outcome().value()),
                        KeyValue.of("exception", exception(thrown)));
        assertThat(context.getError() == null).isEqualTo(thrown == null);
        assertThat(observed.soFar()).isEmpty();
        assertTellsNothing(context);
    }

    private static String exception(@Nullable Throwable thrown) {
        if (thrown == null) {
            return "none";
        }
        Throwable cause = thrown instanceof ExecutionException ? Objects.requireNonNull(thrown.getCause()) : thrown;
        return cause.getClass().getSimpleName();
    }

    /** All keys, values, and groups that are not listed, are called marker here. */
    private static void assertTellsNothing(StoreObservationContext context) {
        assertThat(context.toString()).doesNotContain("marker");
        for (Throwable e = context.getError(); e != null; e = e.getCause()) {
            assertThat(e.toString()).doesNotContain("marker");
            assertThat(e.getSuppressed()).isEmpty();
        }
    }

    @Test
    void eachMethodIsObservedOrKnownNotToBe() {
        Set<String> operations = new TreeSet<>();
        Set<String> others = new TreeSet<>();
        ObservedApi.TYPES.stream()
                .flatMap(type -> Stream.of(type.getMethods()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !ObservedApi.TYPES.contains(method.getReturnType()))
                .filter(method -> method.getReturnType() != Stream.class)
                .forEach(method -> {
                    ObservedMethod call = ObservedMethod.of(method);
                    boolean unused = call == null ? others.add(method.getName()) : operations.add(call.operation());
                });
        assertThat(others).isEqualTo(NOT_OBSERVED);
        assertThat(Calls.all().map(Calls.Call::operation)).containsAll(operations);
    }

    @Test
    void theErrorHasTheStackTraceOfTheExceptionButNoMessage() {
        Group<String> group = observed.store.group("listed");
        Throwable thrown = catchThrowable(() -> group.update(Calls.KEY, value -> {
            throw new IllegalStateException(value, new IllegalArgumentException(value));
        }));
        Throwable error = Objects.requireNonNull(observed.next().getError());
        assertThat(thrown).isExactlyInstanceOf(IllegalStateException.class).hasMessage(Calls.VALUE);
        assertThat(error)
                .hasMessage("java.lang.IllegalStateException")
                .cause()
                .hasMessage("java.lang.IllegalArgumentException");
        assertThat(error.getStackTrace()).isEqualTo(thrown.getStackTrace());
    }

    @Test
    void aCheckedExceptionOfATransactionReachesItsCaller() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> observed.store.transactChecked(tx -> {
                    throw new IOException("on purpose");
                }));
        assertThat(observed.next().exception()).isEqualTo(IOException.class);
    }

    @Test
    void callsWithinATransactionAreItsChildren() {
        observed.store.scope("acme").transactWithoutResult(tx -> {
            tx.group("listed").put("marker", Calls.VALUE);
            tx.batch()
                    .put(tx.group("listed"), "marker", Calls.VALUE, Expiry.never())
                    .write();
        });
        StoreObservationContext put = observed.next();
        StoreObservationContext write = observed.next();
        StoreObservationContext transaction = observed.next();
        assertThat(transaction.operation()).isEqualTo("transact");
        assertThat(List.of(put, write))
                .extracting(
                        StoreObservationContext::operation, StoreObservationContext::group, ObservedCallsTests::parent)
                .containsExactly(tuple("put", "acme:listed", transaction), tuple("write", "none", transaction));
    }

    @Test
    void aScopeWithinATransactionHasItsOwnGroups() {
        observed.store.transactWithoutResult(
                tx -> tx.scope("acme").group("listed").put("marker", Calls.VALUE));
        assertThat(observed.next().group()).isEqualTo("acme:listed");
    }

    private static Observation.ContextView parent(StoreObservationContext context) {
        ObservationView parent = Objects.requireNonNull(context.getParentObservation());
        return parent.getContextView();
    }

    @Test
    void theParentIsTheObservationOfTheCallingThread() {
        TextGroup group = observed.store.group("listed");
        Observation request = Observation.start("request", observed.registry);
        request.scoped(() -> {
            group.get(Calls.KEY);
            group.async().put(Calls.KEY, Calls.VALUE).join();
            assertThat(observed.registry.getCurrentObservation()).isSameAs(request);
        });
        request.stop();
        assertThat(List.of(observed.next(), observed.next()))
                .extracting(ObservedCallsTests::parent)
                .containsOnly(request.getContextView());
    }

    @Test
    void anAsynchronousCallEndsWhenItsFutureCompletes() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<?> future = observed.store.group("listed").async().update(Calls.KEY, value -> {
            running.countDown();
            awaitOrFail(goOn);
            assertThat(observed.registry.getCurrentObservation()).isNull();
            return value;
        });
        running.await();
        assertThat(observed.registry.getCurrentObservation()).isNull();
        assertThat(observed.soFar()).isEmpty();
        goOn.countDown();
        future.get();
        assertThat(observed.next().outcome()).isEqualTo(CallOutcome.DONE);
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aProxyIsAnObjectLikeAnyOther() {
        Scope scope = observed.store.scope("acme");
        assertThat(Set.of(scope)).contains(scope);
        assertThat(scope).isNotEqualTo(observed.store.scope("acme")).hasToString("Scope[namespace=acme]");
        assertThat(AopUtils.getTargetClass(observed.store)).isEqualTo(observed.plain.getClass());
        assertThat(observed.store.outsideTransaction()).isSameAs(observed.store);
    }

    @Test
    void aBatchTakesGroupsOfItsStoreOnly() {
        try (Store another = Store.inMemory()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> observed.store.batch().delete(another.group("listed"), Calls.KEY));
        }
    }

    @Test
    void aWatchAndAStreamAreNotObserved() {
        Watch watch = observed.store.group("listed").watch();
        assertThat(observed.store.group("listed").keys()).containsExactly(Calls.KEY);
        watch.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> observed.store.group("listed").createdBefore(Instant.now()));
        assertThat(observed.soFar()).isEmpty();
    }

    /** Otherwise a caller would take a write that was made for one that was not. */
    @Test
    void aHandlerThatThrowsAtTheEndDoesNotChangeTheAnswer() throws Exception {
        Failing handler = new Failing();
        observed.registry.observationConfig().observationHandler(handler);
        TextGroup group = observed.store.group("listed");
        assertThat(group.putIfAbsent("marker", Calls.VALUE)).isPresent();
        assertThat(group.async().delete("marker").join()).isTrue();
        handler.asked.await();
        assertThat(observed.registry.getCurrentObservation()).isNull();
    }

    private static final class Failing implements ObservationHandler<Observation.Context> {

        private final CountDownLatch asked = new CountDownLatch(2);

        @Override
        public void onStop(Observation.Context context) {
            asked.countDown();
            throw new IllegalStateException("on purpose");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
