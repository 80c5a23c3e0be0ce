package dev.ttlstore.sqlite.crash;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import dev.ttlstore.Durability;
import dev.ttlstore.Store;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Carries out the plans of some threads without end, and says of each write when it has returned. */
final class CrashingProgram {

    /** Ends each line, so that one which the kill has cut off can be told. */
    static final String END = " .";

    static final String OPENING = "opening";
    static final String DONE = "done";
    static final String WRONG = "wrong";

    /** Not buffered, and a line is one call: what was said before the kill has arrived. */
    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private final Store store;
    private final AtomicLong sequence;

    private CrashingProgram(Store store, long sequence) {
        this.store = store;
        this.sequence = new AtomicLong(sequence);
    }

    /** Takes the file, the seed, the number of threads, the durability, and a sequence number below all to come. */
    public static void main(String[] arguments) {
        try {
            run(arguments);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private static void run(String[] arguments) {
        say(OPENING);
        Store store = Store.builder()
                .path(Path.of(arguments[0]))
                .durability(Durability.valueOf(arguments[3]))
                .purgeInterval(Duration.ofMillis(5))
                .open();
        long seed = Long.parseLong(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        CrashingProgram program = new CrashingProgram(store, Long.parseLong(arguments[4]));
        Contents before = Contents.of(store);
        store.onChange(event -> {
            if (program.sequence.getAndSet(event.sequence()) >= event.sequence()) {
                fail(new AssertionError("The sequence number " + event.sequence() + " was used before"));
            }
        });
        for (int i = 0; i < threads; i++) {
            int thread = i;
            Plan plan = new Plan(seed, thread, before.of(thread));
            start(() -> program.carryOut(thread, plan));
        }
        if (threads > 1) {
            start(program::read);
        }
    }

    /** Starts a thread whose failure is told. */
    static void start(Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        });
        thread.start();
    }

    private void carryOut(int thread, Plan plan) {
        for (int step = 0; ; step++) {
            List<Part> parts = plan.next();
            List<CompletableFuture<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                String name = DONE + " " + thread + " " + step + " " + i + " ";
                answers.add(parts.get(i).action().on(store).whenComplete((took, failure) -> {
                    if (failure == null) {
                        say(name + took + " " + sequence.get());
                    }
                }));
            }
            for (int i = 0; i < parts.size(); i++) {
                if (answers.get(i).join()) {
                    plan.took(parts.get(i));
                }
            }
        }
    }

    /** A reader keeps the log from being begun anew, now and then. */
    private void read() {
        while (true) {
            Contents.of(store);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    static void fail(Throwable failure) {
        say(WRONG + " " + failure + " " + List.of(failure.getStackTrace()));
    }

    /** Says a line, which has arrived when this returns. */
    static void say(String line) {
        try {
            OUT.write((line + END + "\n").getBytes(UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(1); // nobody listens any more
        }
    }
}
