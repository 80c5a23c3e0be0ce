package dev.ttlstore.postgresql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/**
 * A node with a slow listener and a watch that nobody reads. For each line of its input it puts an entry, reads the entry that the line
 * names, and prints how long that took and what its listener has got. The argument after the file is a place as {@link CopyingProgram}
 * has it.
 */
final class SlowListenerProgram {

    private static final long LISTENER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private SlowListenerProgram() {}

    public static void main(String[] arguments) throws IOException {
        String[] place = arguments[1].split(" ", -1);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(place[0]);
        source.setUser(place[1]);
        AtomicLong told = new AtomicLong();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Store store = Store.builder()
                        .engine(PostgreSql.on(source).schema(place[2]))
                        .cacheSize(4_000_000)
                        .open();
                Watch unread = store.watch(WatchOptions.defaults().withCapacity(1_000_000))) {
            store.onChange(event -> {
                LockSupport.parkNanos(LISTENER_NANOS);
                told.incrementAndGet();
            });
            System.out.println("opened");
            for (String line = lines.readLine(); line != null && !line.equals("end"); line = lines.readLine()) {
                long start = System.nanoTime();
                String seen = store.group("seen").get("key").orElse("nothing");
                long read = System.nanoTime();
                long version = store.group("own").async().put("key", line).isDone() ? 1 : 0;
                System.out.println("seen " + seen + " in " + (read - start) / 1_000_000 + " ms, told " + told.get()
                        + ", unread " + unread.dropped() + ", done " + version + ", heap "
                        + (Runtime.getRuntime().totalMemory()
                                        - Runtime.getRuntime().freeMemory())
                                / (1 << 20));
            }
        }
        System.out.println("closed");
    }
}
