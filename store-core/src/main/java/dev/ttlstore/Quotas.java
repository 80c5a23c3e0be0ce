package dev.ttlstore;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.ttlstore.commit.QuotaGuard;
import dev.ttlstore.commit.UsageLedger;
import dev.ttlstore.commit.UsageTotals;

/** The quotas that were set for namespaces. */
final class Quotas {

    private final ConcurrentMap<String, Quota> quotas = new ConcurrentHashMap<>();
    private final UsageLedger ledger;

    Quotas(UsageLedger ledger) {
        this.ledger = ledger;
    }

    Quota of(String namespace) {
        return quotas.getOrDefault(namespace, Quota.UNLIMITED);
    }

    void set(String namespace, Quota quota) {
        quotas.put(namespace, quota);
        ledger.setQuota(namespace, new Guard(quota));
    }

    static Usage usage(UsageTotals totals) {
        return new Usage(totals.keys(), totals.groups(), totals.bytes());
    }

    private record Guard(Quota quota) implements QuotaGuard {

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
            return new QuotaExceededException(namespace, quota, Quotas.usage(usage));
        }
    }
}
