package dev.ttlstore.postgresql.campaign;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.Transaction;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreException;

/** The threads of a node that write, from start to stop. Each says in the journal what it is about to write, and what came of it. */
final class NodeLoad {

    private static final int WRITERS = 2;
    private static final int KEYS = 20;
    private static final int COUNTERS = 5;

    private final Store store;
    private final Journal journal;
    private final String process;
    private final long seed;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;
    private int starts;

    NodeLoad(Store store, Journal journal, String process, long seed) {
        this.store = store;
        this.journal = journal;
        this.process = process;
        this.seed = seed;
    }

    /** A thread's part of the load, again and again. */
    private interface Step {
        void run(String thread, Random random, long number);
    }

    void start() {
        stopped = false;
        starts++;
        for (int i = 0; i < WRITERS; i++) {
            start("w" + i, this::write);
        }
        start("t", (thread, random, number) -> transfer(thread, random));
        start("c", (thread, random, number) -> count(thread, random));
        start("b", this::expire);
        start("q", (thread, random, number) -> fill(random));
        start("s", (thread, random, number) -> sum());
    }

    private void start(String name, Step step) {
        Random random = new Random(seed + 31L * starts + name.hashCode());
        long first = starts * 1_000_000L;
        Thread thread = new Thread(
                () -> {
                    try {
                        for (long number = first; !stopped; number++) {
                            step.run(name, random, number);
                        }
                    } catch (RuntimeException | Error e) {
                        NodeProgram.wrong(journal, e);
                    }
                },
                name);
        threads.add(thread);
        thread.start();
    }

    void stop() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        threads.clear();
    }

    private void tell(String thread, String group, String key, String value, LongSupplier write) {
        journal.write(Journal.BEGUN, thread, group, key, value);
        try {
            journal.write(Journal.ACKNOWLEDGED, thread, write.getAsLong());
        } catch (OutcomeUnknownException e) {
            journal.write(Journal.UNKNOWN, thread, e);
            pause(20);
        } catch (StoreException e) {
            journal.write(Journal.FAILED, thread, e, String.valueOf(e.getCause()));
            pause(20);
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(
                TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextInt(millis) + 1L));
    }

    private void write(String thread, Random random, long number) {
        String key = process + "-" + thread + "-" + random.nextInt(KEYS);
        if (random.nextInt(8) == 0) {
            tell(
                    thread,
                    Names.OWN,
                    key,
                    Names.ABSENT,
                    () -> store.group(Names.OWN).delete(key) ? 1 : 0);
        } else {
            String value = Long.toString(number);
            tell(thread, Names.OWN, key, value, () -> store.group(Names.OWN).put(key, value));
        }
    }

    private void transfer(String thread, Random random) {
        int from = random.nextInt(Names.ACCOUNT_COUNT);
        int to = (from + 1 + random.nextInt(Names.ACCOUNT_COUNT - 1)) % Names.ACCOUNT_COUNT;
        long amount = 1L + random.nextInt(100);
        boolean increment = random.nextBoolean();
        tell(
                thread,
                Names.TRANSFERS,
                process,
                "1",
                () -> store.<Long>transact(tx -> {
                    if (increment) {
                        Counters accounts = tx.counters(Names.ACCOUNTS);
                        accounts.increment(Integer.toString(from), -amount);
                        accounts.increment(Integer.toString(to), amount);
                    } else {
                        change(tx, from, -amount);
                        change(tx, to, amount);
                    }
                    return tx.counters(Names.TRANSFERS).increment(process);
                }));
    }

    /** Decides from what was read, so that the commit must validate it. */
    private static void change(Transaction tx, int account, long amount) {
        Group<Long> accounts = tx.group(Names.ACCOUNTS, Long.class);
        String key = Integer.toString(account);
        accounts.put(key, accounts.get(key).orElse(0L) + amount);
    }

    private void count(String thread, Random random) {
        String key = "c" + random.nextInt(COUNTERS);
        tell(thread, Names.COUNTS, key, "1", () -> store.counters(Names.COUNTS).increment(key));
    }

    private void expire(String thread, Random random, long number) {
        String key = process + "-" + number;
        Duration ttl = Duration.ofMillis(20 + random.nextInt(1_000));
        tell(thread, Names.BRIEF, key, key, () -> store.group(Names.BRIEF).put(key, key, ttl));
        pause(10);
    }

    private void fill(Random random) {
        Scope scope = store.scope(Names.TENANT);
        String group = "g" + random.nextInt(4);
        String key = "k" + random.nextInt(60);
        String value = "v".repeat(random.nextInt(50));
        try {
            int kind = random.nextInt(20);
            if (kind == 0) {
                scope.deleteGroup(group);
            } else if (kind < 6) {
                scope.group(group).delete(key);
            } else if (kind < 12) {
                scope.group(group).put(key, value, Duration.ofMillis(50 + random.nextInt(1_000)));
            } else {
                scope.group(group).put(key, value);
            }
            if (scope.count() > Names.MAX_KEYS) {
                throw new IllegalStateException("The scope has more entries than its quota allows");
            }
        } catch (QuotaExceededException e) {
            pause(2);
        } catch (StoreException e) {
            pause(20);
        }
    }

    /** Reads all accounts as of one moment. */
    private void sum() {
        try {
            long sum = store.<Long>transact(tx -> {
                Group<Long> accounts = tx.group(Names.ACCOUNTS, Long.class);
                long total = 0;
                for (int i = 0; i < Names.ACCOUNT_COUNT; i++) {
                    total += accounts.get(Integer.toString(i)).orElse(0L);
                }
                return total;
            });
            if (sum != Names.SUM) {
                throw new IllegalStateException("A transaction has seen the sum " + sum);
            }
        } catch (StoreException e) {
            pause(20);
        }
        pause(20);
    }
}
