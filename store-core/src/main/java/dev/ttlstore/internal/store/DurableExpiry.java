package dev.ttlstore.internal.store;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ttlstore.Codec;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.TypeRef;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Deliveries.Backlog;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.internal.access.PageStreams;
import dev.ttlstore.internal.access.StoreAccess;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.delivery.DeliveryCounts;
import dev.ttlstore.internal.delivery.DeliveryService;
import dev.ttlstore.internal.delivery.Handler;
import dev.ttlstore.internal.purge.ExpiryTimer;
import dev.ttlstore.internal.value.RowValues;
import dev.ttlstore.internal.value.ValueSettings;

/**
 * The subscribers of a store or a scope. In a scope, their names and those of their groups have the scope's prefix.
 *
 * @param access keeps the store reachable
 * @param stored the stored subscribers and deliveries
 * @param pipeline takes writes
 * @param deliveries calls the handlers
 * @param timer expires entries on time
 * @param prefix the prefix of names; empty for the whole store
 */
record DurableExpiry(
        StoreAccess access,
        Deliveries stored,
        CommitPipeline pipeline,
        DeliveryService deliveries,
        ExpiryTimer timer,
        String prefix) {

    private static final int LETTERS_PER_PAGE = 64;

    DurableExpiry within(String innerPrefix) {
        return new DurableExpiry(access, stored, pipeline, deliveries, timer, innerPrefix);
    }

    /** Returns a subscriber to one group. */
    Subscriber toGroup(String subscriber, String group) {
        return new Subscriber(name(subscriber), only(group));
    }

    /** Returns a subscriber to the groups whose names begin so. */
    Subscriber toPrefix(String subscriber, String groupPrefix) {
        String name = name(subscriber);
        Names.requirePrefix(groupPrefix, "prefix");
        return new Subscriber(name, GroupRange.prefix(prefix + groupPrefix));
    }

    /** Returns a subscriber to the groups that match. */
    Subscriber toMatching(String subscriber, GroupPattern groups) {
        String name = name(subscriber);
        Objects.requireNonNull(groups, "'groups' must not be null");
        if (groups.isInEveryScope()) {
            return Subscriber.inEveryScope(name, groups.name());
        }
        return new Subscriber(name, groups.isAll() ? GroupRange.ALL : only(groups.name()));
    }

    private GroupRange only(String group) {
        Names.require(group, "group");
        return GroupRange.only(Names.require(prefix + group, "group"));
    }

    /** Converts the stored value of an expired entry for a handler. */
    interface Values<V> {
        V value(String group, KeyValue stored);
    }

    <V> Values<V> values(TypeRef<V> type) {
        Objects.requireNonNull(type, "'type' must not be null");
        return type.type() == Void.class
                ? none()
                : values(access.context().values().codecs().require(type));
    }

    <V> Values<V> values(Codec<V> codec) {
        Objects.requireNonNull(codec, "'codec' must not be null");
        ValueSettings settings = access.context().values();
        return (group, stored) -> new RowValues<>(group, codec, settings).require(stored);
    }

    /** Null instead of values. They are neither opened nor decoded, so one that cannot be read is not a failure. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // V is Void, whose only value is null
    private static <V> Values<V> none() {
        return (group, stored) -> null;
    }

    /** Registers a handler. */
    <V> Subscription subscribe(Subscriber subscriber, Values<V> values, ExpiryHandler<V> handler) {
        Objects.requireNonNull(handler, "'handler' must not be null");
        Runnable end = deliveries.begin(subscriber.name(), new TypedHandler<>(access, prefix, values, handler));
        try {
            require(subscriber);
            deliveries.stored(subscriber);
        } catch (RuntimeException | Error e) {
            end.run();
            throw e;
        }
        timer.start();
        return end::run;
    }

    private void require(Subscriber subscriber) {
        if (!subscribers().contains(subscriber)) {
            boolean unused = access.holding(() -> pipeline.run(new DeliveryCommand.Subscribe(subscriber)));
        }
    }

    /**
     * Converts an expired entry and passes it to a handler. Keeps the store reachable while it is subscribed.
     *
     * @param access keeps the store reachable
     * @param prefix the prefix that the subscriber does not see in group names
     * @param values opens and decodes values
     * @param handler the handler
     */
    private record TypedHandler<V>(StoreAccess access, String prefix, Values<V> values, ExpiryHandler<V> handler)
            implements Handler {
        @Override
        public void handle(Delivery delivery, KeyValue value) throws Exception {
            String group = delivery.key().group();
            handler.handle(new ExpiredEntry<>(
                    group.substring(prefix.length()),
                    value.key(),
                    values.value(group, value),
                    delivery.version(),
                    Instant.ofEpochMilli(delivery.expiresAt()),
                    delivery.attempts() + 1));
        }
    }

    DeadLetters deadLetters(String subscriber) {
        return new Letters(name(subscriber));
    }

    List<ExpirySubscriber> expirySubscribers() {
        access.requireUsable();
        return subscribers().stream()
                .filter(subscriber -> subscriber.name().startsWith(prefix)
                        && subscriber.name().length() > prefix.length())
                .map(this::look)
                .sorted(Comparator.comparing(ExpirySubscriber::name))
                .collect(Collectors.toList());
    }

    private ExpirySubscriber look(Subscriber subscriber) {
        String name = subscriber.name();
        DeliveryCounts counts = deliveries.queues().counts(name);
        Backlog backlog = access.holding(() -> stored.backlog(name));
        return new ExpirySubscriber(
                name.substring(prefix.length()),
                groups(subscriber),
                subscriber.nameInScopes() == null && !subscriber.groups().isOneGroup(),
                deliveries.queues().isActive(name),
                backlog.pending(),
                backlog.oldest() == Row.NEVER ? null : Instant.ofEpochMilli(backlog.oldest()),
                backlog.dead(),
                counts.handled().sum(),
                counts.failures().sum(),
                counts.dropped().sum());
    }

    /** Returns the pattern, or the one group or the prefix of the groups' names without this view's prefix. */
    private String groups(Subscriber subscriber) {
        if (subscriber.nameInScopes() != null) {
            return GroupPattern.inEveryScope(subscriber.nameInScopes()).text();
        }
        String from = subscriber.groups().from();
        if (from.endsWith("\0")) {
            from = from.substring(0, from.length() - 1); // all groups of a scope, as earlier versions stored them
        }
        return from.startsWith(prefix) ? from.substring(prefix.length()) : from;
    }

    boolean removeExpirySubscriber(String subscriber) {
        String name = name(subscriber);
        Runnable admit = deliveries.exclude(name);
        try {
            return access.holding(() -> remove(name));
        } finally {
            admit.run();
        }
    }

    private boolean remove(String name) {
        boolean known = subscribers().stream().anyMatch(other -> other.name().equals(name));
        if (known) {
            pipeline.unsubscribe(name);
        }
        deliveries.forget(name); // also if another instance has removed it
        return known;
    }

    private List<Subscriber> subscribers() {
        return access.holding(() -> stored.subscribers());
    }

    /** Returns the full name of a subscriber of an open store. */
    private String name(String subscriber) {
        access.requireUsable();
        Names.require(subscriber, "subscriber");
        if (subscriber.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "'subscriber' must not contain ':', which separates the name of a scope; use another"
                            + " character, such as '-', or subscribe in the scope");
        }
        return prefix.isEmpty() ? subscriber : Names.require(prefix + subscriber, "subscriber");
    }

    /** The dead letters of a subscriber. */
    private final class Letters implements DeadLetters {

        /** Its full name. */
        private final String subscriber;

        private Letters(String subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public Stream<DeadLetter> stream() {
            return PageStreams.<Delivery>stream(
                            access,
                            last -> PageStreams.Page.of(
                                    access.holding(() ->
                                            stored.dead(subscriber, last == null ? 0 : last.id(), LETTERS_PER_PAGE)),
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
            access.requireUsable();
            return access.holding(() -> stored.backlog(subscriber).dead());
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
            int count = change(new DeliveryCommand.Retry(subscriber, id, access.now()));
            deliveries.wake();
            return count;
        }

        @Override
        public boolean discard(long id) {
            return id != DeliveryCommand.ALL && change(new DeliveryCommand.Discard(subscriber, id)) > 0;
        }

        @Override
        public long discardAll() {
            return change(new DeliveryCommand.Discard(subscriber, DeliveryCommand.ALL));
        }

        private int change(DeliveryCommand<Integer> command) {
            access.requireUsable();
            return access.holding(() -> pipeline.run(command));
        }
    }
}
