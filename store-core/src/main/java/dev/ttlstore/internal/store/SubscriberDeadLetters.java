package dev.ttlstore.internal.store;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.internal.access.PageStreams;
import dev.ttlstore.internal.access.StoreAccess;

/**
 * The dead letters of a subscriber, as a store or a scope shows them.
 *
 * @param parts the parts of the store
 * @param prefix the prefix that this view removes from names
 * @param subscriber the full name of the subscriber
 */
record SubscriberDeadLetters(DurableExpiry.Parts parts, String prefix, String subscriber) implements DeadLetters {

    private static final int LETTERS_PER_PAGE = 64;

    @Override
    public Stream<DeadLetter> stream() {
        StoreAccess access = parts.access();
        return PageStreams.<Delivery>stream(
                        access,
                        last -> PageStreams.Page.of(
                                access.holding(() -> parts.stored()
                                        .dead(subscriber, last == null ? 0 : last.id(), LETTERS_PER_PAGE)),
                                LETTERS_PER_PAGE))
                .map(this::letter);
    }

    private DeadLetter letter(Delivery delivery) {
        return new DeadLetter(
                delivery.id(),
                subscriber.substring(prefix.length()),
                delivery.key().group().substring(prefix.length()),
                delivery.key().key(),
                delivery.version(),
                Instant.ofEpochMilli(delivery.expiresAt()),
                delivery.attempts(),
                Objects.requireNonNullElse(delivery.error(), ""));
    }

    @Override
    public long count() {
        parts.access().requireUsable();
        return parts.access().holding(() -> parts.stored().backlog(subscriber).dead());
    }

    @Override
    public boolean retry(long id) {
        return id != DeliveryCommand.ALL && retried(id) > 0;
    }

    @Override
    public long retryAll() {
        return retried(DeliveryCommand.ALL);
    }

    private long retried(long id) {
        int count =
                change(new DeliveryCommand.Retry(subscriber, id, parts.access().now()));
        parts.deliveries().wake();
        return count;
    }

    @Override
    public boolean discard(long id) {
        return id != DeliveryCommand.ALL && discarded(id) > 0;
    }

    @Override
    public long discardAll() {
        return discarded(DeliveryCommand.ALL);
    }

    private long discarded(long id) {
        return change(new DeliveryCommand.Discard(subscriber, id));
    }

    private int change(DeliveryCommand<Integer> command) {
        parts.access().requireUsable();
        return parts.access().holding(() -> parts.pipeline().writes().deliveries(command));
    }
}
