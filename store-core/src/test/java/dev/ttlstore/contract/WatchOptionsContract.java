package dev.ttlstore.contract;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Store;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Named.named;

/** The options of a watch, whatever it watches. */
abstract class WatchOptionsContract extends ContractArea {

    private interface Opening extends Function<Store, Function<WatchOptions, Watch>> {}

    private static Stream<Named<Opening>> openings() {
        return Stream.of(
                named("store", store -> store::watch),
                named("store's group", store -> options -> store.watch(options.ofGroup("ns:group"))),
                named(
                        "store's key",
                        store -> options ->
                                store.watch(options.ofGroup("ns:group").ofKey("key"))),
                named("group", store -> options -> store.group("ns:group").watch(options)),
                named("key", store -> options -> store.group("ns:group").watch(options.ofKey("key"))),
                named("scope", store -> store.scope("ns")::watch),
                named("scope's group", store -> options -> store.scope("ns").watch(options.ofGroup("group"))),
                named(
                        "scope's key",
                        store -> options ->
                                store.scope("ns").watch(options.ofGroup("group").ofKey("key"))));
    }

    @ParameterizedTest
    @MethodSource("openings")
    @Promise(15)
    void theCapacityIsThatOfTheOptionsAndWhatIsMissedIsTold(Opening opening) {
        WatchOptions options = WatchOptions.defaults().withCapacity(1).withOverflow(Overflow.DROP_OLDEST);
        try (Watch watch = opening.apply(store()).apply(options)) {
            for (int i = 0; i < 3; i++) {
                store().group("ns:group").put("key", "value" + i);
            }
            assertThat(watch.dropped()).isEqualTo(2);
            Optional<WatchSignal> first = watch.poll();
            assertThat(first).containsInstanceOf(WatchSignal.Gap.class);
            assertThat(watch.poll()).containsInstanceOf(WatchSignal.Change.class);
            assertThat(watch.poll()).isEmpty();
        }
    }

    @Test
    void noOptionsAreRefusedByName() {
        Stream.<Function<WatchOptions, Watch>>of(store()::watch, store().scope("ns")::watch, group()::watch)
                .forEach(watch -> assertThatNullPointerException()
                        .isThrownBy(() -> watch.apply(nothing()))
                        .withMessageContaining("'options'"));
    }
}
