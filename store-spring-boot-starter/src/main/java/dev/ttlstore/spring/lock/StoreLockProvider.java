package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ttlstore.Expiry;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.keys.TextKeys;
import dev.ttlstore.spring.transaction.OutsideTransaction;

import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.Utils;

/**
 * Keeps ShedLock's locks in a store. A lock is an entry that expires when its maximum time ends, by the store's clock.
 * On PostgreSQL that is the clock of the database. A holder that has lost its lock can neither extend nor unlock the
 * lock of the next holder. Locks belong to no transaction of the application. The starter registers a provider with
 * {@code store.lock-provider.enabled=true}. Thread-safe.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @SchedulerLock(name = "nightly-report", lockAtMostFor = "30m")
 * public void report() {
 *     log.info("One instance sends the report");
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreLockRegistry
 * @see StoreLockProviderProperties
 */
public final class StoreLockProvider implements ExtensibleLockProvider {

    /** The group that holds the locks, by name. The value says which host holds it. */
    public static final String GROUP = "shedlock";

    private final TextGroup locks;

    /**
     * Creates the provider.
     *
     * @param store the store or scope that holds the locks
     */
    public StoreLockProvider(LiveKeyspace store) {
        this.locks = OutsideTransaction.of(store).group(GROUP);
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration wanted) {
        OptionalLong version = locks.putIfAbsent(key(wanted), Utils.getHostname(), wanted.getLockAtMostFor());
        return version.isPresent() ? Optional.of(new Held(wanted, version.getAsLong())) : Optional.empty();
    }

    private static String key(LockConfiguration lock) {
        return TextKeys.of(lock.getName());
    }

    /** A lock that is held. Its version tells it from the lock of a later holder. */
    private final class Held extends AbstractSimpleLock {
        private final long version;

        private Held(LockConfiguration configuration, long version) {
            super(configuration);
            this.version = version;
        }

        @Override
        protected void doUnlock() {
            Duration rest = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
            boolean over = rest.isNegative() || rest.isZero();
            boolean unused = over
                    ? locks.deleteVersion(key(lockConfiguration), version)
                    : keep(Expiry.after(rest).ifEarlier()).isPresent();
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration longer) {
            OptionalLong extended = keep(Expiry.after(longer.getLockAtMostFor()));
            return extended.isPresent() ? Optional.of(new Held(longer, extended.getAsLong())) : Optional.empty();
        }

        private OptionalLong keep(Expiry expiry) {
            return locks.replaceVersion(key(lockConfiguration), version, Utils.getHostname(), expiry);
        }
    }
}
