package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.DiskFiles;

/**
 * A file of zeros beside the store that keeps room on the disk. When the disk is full, the store gives this room up,
 * because work that frees room needs some first: a checkpoint of the WAL, and the pages that a removal writes.
 *
 * <p>The file is truncated and not deleted, because it may be impossible to create it again on a full disk. It stays
 * when the store is closed, so that a store on a full disk can be opened. Used by one thread at a time.
 */
final class Reserve implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Reserve.class);

    /** The reserve has the store's name with this suffix. */
    static final String SUFFIX = ".reserve";

    /** Enough for the WAL of some removals. */
    private static final long USUAL_BYTES = 1024 * 1024;

    private static final long LEAST_BYTES = 256 * 1024;

    /** On a small disk, the reserve takes at most one part in this many. */
    private static final long PART_OF_DISK = 64;

    /**
     * The reserve shrinks when it is more than this many times as large as wanted. A smaller surplus is kept, because
     * the WAL soon grows to its former size again.
     */
    private static final int PLENTY = 4;

    /** How many bytes are written at once. */
    static final int BLOCK_BYTES = 64 * 1024;

    private final Path file;

    /**
     * Null if the file cannot be created; the store then works without a reserve. Not a channel, because an interrupt
     * would close it.
     */
    private final @Nullable RandomAccessFile bytes;

    private final long base;
    private long size;

    private Reserve(Path file, @Nullable RandomAccessFile bytes, long base, long size) {
        this.file = file;
        this.bytes = bytes;
        this.base = base;
        this.size = size;
    }

    /** Makes room for an opening: on a full disk, gives up the reserve that an earlier opening has left. */
    static void giveUpForOpening(Path store) {
        Path file = file(store);
        if (store.toFile().getUsableSpace() >= base(store) || !Files.exists(file)) {
            return;
        }
        try {
            requirePlain(file);
        } catch (IOException e) {
            log.debug("The reserve {} cannot be used", file, e);
            return;
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(0);
        } catch (IOException e) {
            log.debug("The reserve {} could not be given up", file, e);
        }
    }

    /**
     * Opens the reserve of a store with the room that it has. If its file cannot be created, the store has no
     * reserve.
     */
    static Reserve open(Path store) {
        Path file = file(store);
        long base = base(store);
        RandomAccessFile bytes = null;
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                DiskFiles.createFor(store, file);
            }
            requirePlain(file);
            DiskFiles.restrict(file);
            bytes = new RandomAccessFile(file.toFile(), "rw");
            return new Reserve(file, bytes, base, bytes.length());
        } catch (IOException e) {
            log.debug("The store {} has no reserve for a full disk: {} cannot be used", store, file, e);
            close(bytes, file);
            return new Reserve(file, null, base, 0);
        }
    }

    /** Truncating it would change another file otherwise. */
    private static void requirePlain(Path file) throws IOException {
        if (!DiskFiles.isPlainOrMissing(file)) {
            throw new IOException("it is a link, has a second name, or is not a regular file");
        }
    }

    private static Path file(Path store) {
        return SqliteFiles.beside(store, SUFFIX);
    }

    private static long base(Path store) {
        long disk = store.toFile().getTotalSpace(); // zero if unknown
        return disk == 0 ? USUAL_BYTES : Math.max(LEAST_BYTES, Math.min(USUAL_BYTES, disk / PART_OF_DISK));
    }

    /** Returns the room that removals need, without the room that a checkpoint needs. */
    long base() {
        return base;
    }

    /**
     * Grows the reserve to a size. Shrinks it to that size if it is much larger.
     *
     * @throws IOException if there is not enough room, because the disk is full
     */
    void hold(long wanted) throws IOException {
        if (bytes != null && size / PLENTY > wanted) {
            bytes.setLength(wanted);
            size = wanted;
        }
        if (bytes == null || size >= wanted) {
            return;
        }
        byte[] zeros = new byte[BLOCK_BYTES];
        bytes.seek(size);
        while (size < wanted) {
            int length = (int) Math.min(BLOCK_BYTES, wanted - size);
            bytes.write(zeros, 0, length);
            size += length;
        }
    }

    /** Gives up the whole reserve. Returns whether it was more than the room for removals. */
    boolean giveUp() {
        if (bytes == null || size == 0) {
            return false;
        }
        try {
            boolean more = size > base;
            bytes.setLength(0);
            size = 0;
            return more;
        } catch (IOException e) {
            log.debug("The reserve {} could not be given up", file, e);
            return false;
        }
    }

    /** Tests whether the reserve was given up, although the store has one. */
    boolean isGivenUp() {
        return bytes != null && size < base;
    }

    @Override
    public void close() {
        close(bytes, file);
    }

    private static void close(@Nullable RandomAccessFile bytes, Path file) {
        if (bytes == null) {
            return;
        }
        try {
            bytes.close();
        } catch (IOException e) {
            log.debug("The reserve {} was not closed properly", file, e);
        }
    }
}
