package dev.ttlstore.postgresql.campaign;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.sqlite.ChildJvm;

/** A process with a node, as the campaign sees it. What it prints goes to a file beside its journal. */
final class Node implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 90;

    private final String process;
    private final ChildJvm jvm;
    private final Thread reader;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final ProcessJournal journal;

    Node(Path folder, String process, long seed) throws IOException {
        this.process = process;
        this.jvm = ChildJvm.start(NodeProgram.class, folder, process, Long.toString(seed));
        this.journal = new ProcessJournal(NodeProgram.journal(folder, process), process);
        this.reader = new Thread(() -> listen(folder.resolve(process + ".out")), "output of " + process);
        this.reader.setDaemon(true);
        this.reader.start();
    }

    private void listen(Path copy) {
        try (BufferedWriter out = Files.newBufferedWriter(copy)) {
            for (@Nullable String line = jvm.nextLine(); line != null; line = jvm.nextLine()) {
                out.write(line);
                out.newLine();
                out.flush();
                said.add(line);
            }
        } catch (IOException e) {
            said.add("cannot be heard any more: " + e);
        }
    }

    ProcessJournal journal() {
        return journal;
    }

    void tell(String order) {
        jvm.tell(order);
    }

    void await(String answer) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            String line = said.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError(process + " has not said '" + answer + "'");
            }
            if (line.equals(answer)) {
                return;
            }
        }
    }

    void kill() throws InterruptedException {
        jvm.kill();
        reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    }

    @Override
    public void close() throws IOException {
        jvm.close();
    }
}
