package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The journal of a process, read part by part, and the trail of its watch. Not thread-safe. */
final class ProcessJournal {

    private final Path file;
    private final String process;
    private final WatchTrail trail;
    private long read;
    private boolean ended;

    ProcessJournal(Path file, String process) {
        this.file = file;
        this.process = process;
        this.trail = new WatchTrail(process);
    }

    String process() {
        return process;
    }

    WatchTrail trail() {
        return trail;
    }

    /** Notes that the process has died, so that no more is to come. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Returns the words of the lines that are complete and were not read before. */
    List<String[]> next() throws IOException {
        List<String[]> lines = new ArrayList<>();
        if (!Files.exists(file)) {
            return lines;
        }
        byte[] bytes;
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            bytes = new byte[(int) (in.length() - read)];
            in.seek(read);
            in.readFully(bytes);
        }
        int begin = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines.add(new String(bytes, begin, i - begin, UTF_8).split(" ", -1));
                begin = i + 1;
            }
        }
        read += begin;
        return lines;
    }
}
