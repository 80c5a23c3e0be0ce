package dev.ttlstore.contract;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A renewal that comes in time, between the moment at which a reader reads the row and that at which it reads the clock. */
abstract class RenewalContract extends ContractArea {

    private static Stream<Arguments> readsAndRenewals() {
        return Stream.of(
                        named("get", (Predicate<TextGroup>)
                                group -> group.get("key").isPresent()),
                        named("entry", (Predicate<TextGroup>)
                                group -> group.entry("key").isPresent()),
                        named("contains", (Predicate<TextGroup>) group -> group.contains("key")),
                        named("update", (Predicate<TextGroup>)
                                group -> group.update("key", value -> value).isPresent()))
                .flatMap(read -> Stream.of(
                                named("expire", (Consumer<TextGroup>)
                                        group -> group.expire("key", Duration.ofHours(1))),
                                named("persist", (Consumer<TextGroup>) group -> group.persist("key")),
                                named("put", (Consumer<TextGroup>) group -> group.put("key", "new")))
                        .map(renewal -> arguments(read, renewal)));
    }

    @ParameterizedTest
    @MethodSource("readsAndRenewals")
    @Promise({1, 3})
    void anEntryThatIsRenewedInTimeIsNeverAnsweredAsAbsent(Predicate<TextGroup> read, Consumer<TextGroup> renewal) {
        AtomicReference<Runnable> beforeTheClockIsRead = new AtomicReference<>(() -> {});
        open(settings().clock(() -> {
            beforeTheClockIsRead.getAndSet(() -> {}).run();
            return clock.instant();
        }));
        group().put("key", "value", Duration.ofMillis(10));
        advanceMillis(9);
        beforeTheClockIsRead.set(() -> {
            Threads.get(Threads.start(thread -> {
                renewal.accept(group());
                return true;
            }));
            advanceMillis(1);
        });
        assertThat(read.test(group())).isTrue();
    }
}
