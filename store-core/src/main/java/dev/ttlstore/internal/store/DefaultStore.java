package dev.ttlstore.internal.store;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.BackupProgress;
import dev.ttlstore.BackupResult;
import dev.ttlstore.Codec;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.StoredEntries;
import dev.ttlstore.Transaction;
import dev.ttlstore.TypeRef;
import dev.ttlstore.Usage;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.internal.access.JoiningAccess;
import dev.ttlstore.internal.access.StoreAccess;
import dev.ttlstore.internal.access.TransactionAccess;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.JoinedTransaction;
import dev.ttlstore.internal.purge.PurgeRun;
import dev.ttlstore.internal.watch.EventDispatcher;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/** A store: validates arguments and passes calls to the parts of the store. */
final class DefaultStore extends WatchedKeyspace implements Store {

    private final Engine engine;
    private final StoreAccess access;
    private final @Nullable JoiningAccess joining;
    private final EventDispatcher dispatcher;
    private final CommitPipeline pipeline;
    private final PurgeRun purge;
    private final StoreReports reports;
    private final StoreThreads threads;
    private final Shutdown shutdown;
    private final Cleaner.Cleanable leak;

    /**
     * Creates a store from its parts.
     *
     * @param joining reaches rows in transactions of the application; null if the store takes no part in them
     */
    DefaultStore(
            Engine engine,
            StoreAccess access,
            @Nullable JoiningAccess joining,
            EventDispatcher dispatcher,
            CommitPipeline pipeline,
            PurgeRun purge,
            DurableExpiry expiry,
            StoreReports reports,
            StoreThreads threads,
            Shutdown shutdown) {
        super(joining == null ? access : joining, "", expiry);
        this.engine = engine;
        this.access = access;
        this.joining = joining;
        this.dispatcher = dispatcher;
        this.pipeline = pipeline;
        this.purge = purge;
        this.reports = reports;
        this.threads = threads;
        this.shutdown = shutdown;
        this.leak = shutdown.watch(access, place());
    }

    @Override
    public Scope scope(String namespace) {
        access.requireUsable();
        return new DefaultScope(DefaultScope.requireName(namespace), this, rows());
    }

    @Override
    public Scope scope(String namespace, Quota quota) {
        Objects.requireNonNull(quota, "'quota' must not be null");
        Scope scope = scope(namespace);
        reports.quotas().set(namespace, new Amounts(quota.maxKeys(), quota.maxGroups(), quota.maxBytes()));
        return scope;
    }

    Quota quota(String namespace) {
        access.requireUsable();
        Amounts limits = reports.quotas().of(namespace);
        return limits == null ? Quota.UNLIMITED : new Quota(limits.keys(), limits.groups(), limits.bytes());
    }

    Usage usage(String namespace) {
        access.requireUsable();
        Amounts totals = access.holding(() -> pipeline.run(new Command.CountUsage(namespace)));
        return new Usage(totals.keys(), totals.groups(), totals.bytes());
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R transactChecked(Transaction.Work<R, X> work) throws X {
        return transactChecked("", work);
    }

    <R extends @Nullable Object, X extends Exception> R transactChecked(String prefix, Transaction.Work<R, X> work)
            throws X {
        requireTransactable(work);
        JoinedTransaction joined = pipeline.joined();
        if (joining == null || joined == null) {
            return transactOutside(prefix, work);
        }
        try {
            return joining.write(joined, transaction -> run(transaction, prefix, work));
        } catch (DefaultTransaction.WorkFailure e) {
            throw e.<X>failure();
        }
    }

    /** Runs work in a transaction of its own, also if this thread is in one of the application. */
    private <R extends @Nullable Object, X extends Exception> R transactOutside(
            String prefix, Transaction.Work<R, X> work) throws X {
        requireTransactable(work);
        try {
            return access.holding(() ->
                    pipeline.transact(draft -> run(new TransactionAccess(draft, access.context()), prefix, work)));
        } catch (DefaultTransaction.WorkFailure e) {
            throw e.<X>failure();
        }
    }

    private void requireTransactable(Transaction.Work<?, ?> work) {
        access.requireUsable();
        Objects.requireNonNull(work, "'work' must not be null");
    }

    private static <R extends @Nullable Object, X extends Exception> R run(
            TransactionAccess transaction, String prefix, Transaction.Work<R, X> work) {
        try {
            return new DefaultTransaction(transaction, prefix).run(work);
        } finally {
            transaction.end();
        }
    }

    @Override
    public LiveKeyspace outsideTransaction() {
        return outside(this, "");
    }

    /** Returns the store or a scope of it outside transactions of the application; itself if there are none. */
    LiveKeyspace outside(LiveKeyspace whole, String prefix) {
        access.requireUsable();
        return joining == null ? whole : new Outside(whole, prefix);
    }

    /** The entries of a store or scope for callers that take no part in the transaction of the application that their thread is in. */
    final class Outside extends WatchedKeyspace {

        /** The store or scope, whose other methods no transaction affects. */
        private final LiveKeyspace whole;

        private Outside(LiveKeyspace whole, String prefix) {
            super(DefaultStore.this.access, prefix, DefaultStore.this.expiry().within(prefix));
            this.whole = whole;
        }

        @Override
        public <R extends @Nullable Object, X extends Exception> R transactChecked(Transaction.Work<R, X> work)
                throws X {
            return transactOutside(prefix(), work);
        }

        @Override
        public Subscription onChange(StoreListener listener) {
            return whole.onChange(listener);
        }

        @Override
        public long purgeExpired() {
            return whole.purgeExpired();
        }

        @Override
        public LiveKeyspace outsideTransaction() {
            return this;
        }

        /** Returns the text of the store or scope. */
        @Override
        public String toString() {
            return whole.toString();
        }
    }

    @Override
    public Subscription onChange(StoreListener listener) {
        return onChange(listener, events());
    }

    /** Registers a listener of the events of the store or of a scope. */
    Subscription onChange(StoreListener listener, LocalEvents events) {
        access.requireUsable();
        Objects.requireNonNull(listener, "'listener' must not be null");
        return dispatcher.subscribe(events.listener(listener, access), events.groups());
    }

    @Override
    public void closeWatches() {
        dispatcher.closeWatches();
    }

    @Override
    public <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, TypeRef<V> type, ExpiryHandler<V> handler) {
        return expiry().subscribe(expiry().toMatching(subscriber, groups), expiry().values(type), handler);
    }

    @Override
    public <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, Codec<V> codec, ExpiryHandler<V> handler) {
        return expiry().subscribe(expiry().toMatching(subscriber, groups), expiry().values(codec), handler);
    }

    @Override
    public long purgeExpired() {
        return purge(GroupRange.ALL);
    }

    long purge(GroupRange groups) {
        access.requireUsable();
        long removed = access.holding(() -> {
            long purged = purge.run(groups);
            dispatcher.deliverSoFar(); // events of concurrent purges may not have reached the listeners yet
            return purged;
        });
        threads.deliveries().lookAgain(); // the clock may have moved further than expected
        return removed;
    }

    void erase(GroupRange groups) {
        access.requireUsable();
        access.holding(() -> {
            pipeline.erase(groups);
            return true;
        });
    }

    @Override
    public @Nullable Path path() {
        access.requireUsable();
        return engine.info().path();
    }

    @Override
    public StoreStats stats() {
        access.requireUsable();
        return access.holding(() -> {
            long now = access.now();
            pipeline.renewals().await(GroupRange.ALL, now);
            return reports.stats(now);
        });
    }

    @Override
    public StoreActivity activity() {
        access.requireUsable();
        return reports.activity();
    }

    @Override
    public Subscription observe(StoreObserver observer) {
        access.requireUsable();
        Objects.requireNonNull(observer, "'observer' must not be null");
        return access.context().meter().observe(observer);
    }

    @Override
    public BackupResult backup(Path target, Consumer<? super BackupProgress> listener) {
        access.requireUsable();
        Objects.requireNonNull(target, "'target' must not be null");
        Objects.requireNonNull(listener, "'listener' must not be null");
        long start = System.nanoTime();
        return access.holding(() -> {
            long bytes = engine.backup(
                    target, (written, total) -> listener.accept(new BackupProgress(written, total, since(start))));
            return new BackupResult(target.toAbsolutePath().normalize(), bytes, since(start));
        });
    }

    @Override
    public List<Path> backups(Path folder) {
        access.requireUsable();
        Objects.requireNonNull(folder, "'folder' must not be null");
        return access.holding(() -> engine.backups(folder));
    }

    @Override
    public VerificationReport verify(Consumer<? super VerificationProgress> listener) {
        access.requireUsable();
        Objects.requireNonNull(listener, "'listener' must not be null");
        return access.holding(() -> engine.verify(listener));
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }

    @Override
    public StoredEntries stored() {
        access.requireUsable();
        return new DefaultStoredEntries(access);
    }

    @Override
    public void check() {
        access.requireUsable();
        access.holding(() -> {
            engine.check();
            engine.clock().requireRunning();
            pipeline.requireMoving();
            threads.requireRunning();
            return true;
        });
    }

    /** Returns a text with the place of the store. */
    @Override
    public String toString() {
        return "Store[" + (path() == null ? "" : "path=") + place() + "]";
    }

    /** Says where the store is, for people. */
    private String place() {
        EngineInfo info = engine.info();
        Path path = info.path();
        return path != null ? path.toString() : info.isShared() ? info.name() : "in memory";
    }

    @Override
    public void close() {
        try {
            shutdown.run();
        } finally {
            if (shutdown.hasBegun()) { // not if the call was refused within a transaction
                leak.clean();
            }
            Reference.reachabilityFence(access);
        }
    }
}
