package dev.ttlstore.internal.store;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

import dev.ttlstore.Quota;
import dev.ttlstore.Usage;
import dev.ttlstore.engine.QuotaGuard;
import dev.ttlstore.engine.QuotaGuards;
import dev.ttlstore.engine.UsageTotals;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

/** The quotas of namespaces. */
final class Quotas {

    private final ConcurrentMap<String, Quota> quotas = new ConcurrentHashMap<>();
    private final LongAdder refusals = new LongAdder();
    private final QuotaGuards guards;

    Quotas(QuotaGuards guards) {
        this.guards = guards;
    }

    Quota of(String namespace) {
        return quotas.getOrDefault(namespace, Quota.UNLIMITED);
    }

    void set(String namespace, Quota quota) {
        quotas.put(namespace, quota);
        guards.set(namespace, new Guard(quota, refusals));
    }

    /** Returns how many writes a quota refused. */
    long refusals() {
        return refusals.sum();
    }

    static Usage usage(UsageTotals totals) {
        return new Usage(totals.keys(), totals.groups(), totals.bytes());
    }

    private record Guard(Quota quota, LongAdder refusals) implements QuotaGuard {

        @Override
        public boolean admits(UsageTotals usage) {
            return within(usage.keys(), quota.maxKeys())
                    && within(usage.groups(), quota.maxGroups())
                    && within(usage.bytes(), quota.maxBytes());
        }

        private static boolean within(long used, long limit) {
            return limit == 0 || used <= limit;
        }

        @Override
        public RuntimeException refusal(String namespace, UsageTotals usage) {
            refusals.increment();
            return new QuotaExceededException(
                    namespace,
                    new Amounts(quota.maxKeys(), quota.maxGroups(), quota.maxBytes()),
                    new Amounts(usage.keys(), usage.groups(), usage.bytes()));
        }
    }
}
