package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of zeros beside the store, which takes room on the disk as long as there is some. On a full disk the store gives it
 * up, for what frees room needs some first: the log to be folded, and the pages that a removal writes.
 *
 * <p>The file is emptied rather than deleted, for on a full disk it might not be possible to create it again. It stays when
 * the store is closed, so that a store on a full disk can be opened. Used by one thread at a time.
 */
final class Reserve implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Reserve.class);

    /** What the reserve's name has after that of the store's. */
    static final String SUFFIX = ".reserve";

    /** Enough for the log of some removals. */
    private static final long USUAL_BYTES = 1024 * 1024;

    private static final long LEAST_BYTES = 256 * 1024;

    /** On a small disk the reserve takes no more than this part of it. */
    private static final long PART_OF_DISK = 64;

    /** So many times what is wanted is given back. Less is kept, for the log soon grows again as far as it did before. */
    private static final int PLENTY = 4;

    /** What is written at once. */
    static final int BLOCK_BYTES = 64 * 1024;

    private final Path file;

    /** Null if the file cannot be made: then the store goes without. Not a channel, which an interrupt would close. */
    private final @Nullable RandomAccessFile bytes;

    private final long base;
    private long size;

    private Reserve(Path file, @Nullable RandomAccessFile bytes, long base, long size) {
        this.file = file;
        this.bytes = bytes;
        this.base = base;
        this.size = size;
    }

    /** Gives room to an opening: on a disk that is full, what an earlier one has left in reserve. */
    static void giveUpForOpening(StoreFile store) {
        Path file = file(store.path());
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || store.usableSpace() >= base(store.path())) {
            return;
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(0);
        } catch (IOException e) {
            log.debug("The reserve {} could not be given up", file, e);
        }
    }

    /** Opens the reserve of a store with the room that it has, or without one if its file cannot be made. */
    static Reserve open(Path store) {
        Path file = file(store);
        long base = base(store);
        RandomAccessFile bytes = null;
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                OwnerOnly.createFile(file);
            }
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("it is not a regular file");
            }
            OwnerOnly.restrict(file);
            bytes = new RandomAccessFile(file.toFile(), "rw");
            return new Reserve(file, bytes, base, bytes.length());
        } catch (IOException e) {
            log.debug("The store {} has no reserve for a full disk: {} cannot be used", store, file, e);
            close(bytes, file);
            return new Reserve(file, null, base, 0);
        }
    }

    private static Path file(Path store) {
        return store.resolveSibling(store.getFileName() + SUFFIX);
    }

    private static long base(Path store) {
        long disk = store.toFile().getTotalSpace(); // zero: not known
        return disk == 0 ? USUAL_BYTES : Math.max(LEAST_BYTES, Math.min(USUAL_BYTES, disk / PART_OF_DISK));
    }

    /** What a removal needs, without what it takes to fold the log. */
    long base() {
        return base;
    }

    /**
     * Takes so many bytes. Of what it has it gives back what is far more than that.
     *
     * @throws IOException if they are not to be had, because the disk is full
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

    /** Gives up all of it; answers whether that was more than the room for a removal. */
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

    /** Whether nothing of it is left, though the store has one. */
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
