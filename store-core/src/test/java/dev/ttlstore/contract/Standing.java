package dev.ttlstore.contract;

import java.time.Duration;

/** What may stand at {@code key} when a conditional write comes, and whether that is an entry. */
enum Standing {
    PERMANENT(true) {
        @Override
        void prepare(ContractArea area) {
            area.group().put("key", "value");
        }
    },
    IN_ITS_LAST_MILLISECOND(true) {
        @Override
        void prepare(ContractArea area) {
            area.group().put("key", "value", TTL);
            area.advanceMillis(TTL.toMillis() - 1);
        }
    },
    IN_THE_MILLISECOND_OF_ITS_EXPIRY(false) {
        @Override
        void prepare(ContractArea area) {
            area.group().put("key", "value", TTL);
            area.advanceMillis(TTL.toMillis());
        }
    },
    PURGED(false) {
        @Override
        void prepare(ContractArea area) {
            area.group().put("key", "value", TTL);
            area.advanceMillis(TTL.toMillis());
            area.store().purgeExpired();
        }
    },
    DELETED(false) {
        @Override
        void prepare(ContractArea area) {
            area.group().put("key", "value");
            area.group().delete("key");
        }
    },
    MISSING(false) {
        @Override
        void prepare(ContractArea area) {
            area.group().put("another key", "value");
        }
    };

    static final Duration TTL = Duration.ofSeconds(1);

    private final boolean live;

    Standing(boolean live) {
        this.live = live;
    }

    /** Has this stand at {@code key} in the group, holding {@code value} if anything. */
    abstract void prepare(ContractArea area);

    /** Whether there is an entry for all to see. */
    boolean isLive() {
        return live;
    }
}
