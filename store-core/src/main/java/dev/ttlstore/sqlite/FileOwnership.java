package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreLockedException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The claim of this process on a store's file: a lock on a file beside it. The operating system releases the lock
 * when the process ends, in whatever way. The lock file stays. If it were removed, two processes could each lock a
 * file of their own.
 *
 * <p>Within one process such a lock has no effect, and closing the lock file a second time would even release it. So
 * the process also has its own register. The register is kept in the system properties, which all class loaders
 * share: an application that restarts itself with a new class loader finds its own earlier store there.
 *
 * @param file the file
 * @param registered its name in the register
 * @param channel holds the lock
 * @param identity identifies the lock file
 */
record FileOwnership(
        Path file,
        String registered,
        FileChannel channel,
        @Nullable Object identity) implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FileOwnership.class);

    /** The lock file has the store's name with this suffix. */
    static final String SUFFIX = ".lock";

    /** What this process or SQLite writes to beside the store. The store works without a reserve. */
    private static final List<String> WRITTEN = List.of(SUFFIX, "-wal", "-shm", "-journal");

    private static final long RETRY_MILLIS = 50;
    private static final int MAX_HOLDER_BYTES = 256;

    /** Beyond the text in the file, so that others can read the holder's name even where locks block readers. */
    private static final long LOCK_POSITION = Long.MAX_VALUE - 1;

    /** A check before any file is created beside the store. */
    interface Check {
        void run() throws IOException;
    }

    /**
     * Claims a file, and waits for its holder up to a timeout. If the thread is interrupted before or during the
     * call, it does not wait, and its interrupt status stays set.
     *
     * @param beforeLockFile throws if no lock file may be created beside the file. It runs while no other store of
     *     this process has the file open, because closing the file would drop that store's SQLite locks
     */
    static FileOwnership claim(Path file, Duration timeout, Check beforeLockFile) throws IOException {
        Instant start = Instant.now();
        long begun = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted(); // otherwise the channel would close at its first use
                Attempt attempt;
                try {
                    attempt = attempt(file, start, beforeLockFile);
                } catch (ClosedByInterruptException e) {
                    continue; // interrupted at this very moment
                }
                if (attempt.ownership() != null) {
                    return attempt.ownership();
                }
                boolean over = Duration.ofNanos(System.nanoTime() - begun).compareTo(timeout) >= 0;
                if (over || interrupted || !pause()) {
                    throw new StoreLockedException(file, attempt.holder(), attempt.sameProcess());
                }
            }
        } finally {
            Deadline.restoreInterrupt(interrupted);
        }
    }

    /** The result of an attempt: either the claim, or the current holder. */
    private record Attempt(@Nullable FileOwnership ownership, String holder, boolean sameProcess) {}

    private static Attempt attempt(Path file, Instant now, Check beforeLockFile) throws IOException {
        String registered = "dev.ttlstore.open:" + file;
        String self = "process " + ProcessHandle.current().pid() + ", since " + now.truncatedTo(ChronoUnit.SECONDS);
        Object other = System.getProperties().putIfAbsent(registered, self);
        if (other != null) {
            return new Attempt(null, "another store of this same " + other, true);
        }
        FileChannel channel = null;
        boolean claimed = false;
        try {
            requirePlainBeside(file);
            Path lockFile = lockFile(file);
            if (!Files.exists(lockFile, LinkOption.NOFOLLOW_LINKS)) {
                beforeLockFile.run();
                createOrFind(file, lockFile);
            }
            // A link in its place would redirect the write to another file.
            channel = FileChannel.open(
                    lockFile, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = lock(channel, file);
            if (lock == null) {
                return new Attempt(null, holder(channel), false);
            }
            introduce(channel, self);
            Object identity = SqliteFiles.identity(lockFile, LinkOption.NOFOLLOW_LINKS);
            Attempt attempt = new Attempt(new FileOwnership(file, registered, channel, identity), self, true);
            claimed = true;
            return attempt;
        } finally {
            if (!claimed) {
                release(registered, channel);
            }
        }
    }

    /** Creates the lock file, unless another process does so at the same time. */
    private static void createOrFind(Path file, Path lockFile) throws IOException {
        try {
            DiskFiles.createFor(file, lockFile);
        } catch (FileAlreadyExistsException e) {
            log.debug("Another process has created the lock file {} first", lockFile, e);
            requirePlainBeside(file);
        }
    }

    /**
     * Refuses links beside the store, and files with a second name. Writing to them would change another file. Also refuses logs of other
     * users.
     */
    private static void requirePlainBeside(Path file) throws IOException {
        for (String suffix : WRITTEN) {
            Path beside = SqliteFiles.beside(file, suffix);
            if (!DiskFiles.isPlainOrMissing(beside)) {
                throw SqliteFiles.notOpened(
                        file,
                        beside + " is a link, has a second name, or is not a regular file",
                        "Find out who has made it, and move it away",
                        null);
            }
            // The lock has no content of the store, and may be that of an application whose file an administrator
            // restores.
            if (!suffix.equals(SUFFIX) && DiskFiles.isForeign(file, beside)) {
                throw SqliteFiles.notOpened(
                        file,
                        beside + " belongs to another user, who could read and change what is written to it",
                        "Move it away, and keep the store in a folder where nobody else can create files",
                        null);
            }
        }
    }

    private static Path lockFile(Path file) {
        return SqliteFiles.beside(file, SUFFIX);
    }

    /**
     * Checks that the lock file is still the one that this process has locked. Otherwise another process can open the
     * store.
     */
    void requireStillHeld() {
        if (!SqliteFiles.isStill(identity, lockFile(file), LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreException("The lock file of the store " + file + ", "
                    + lockFile(file).getFileName()
                    + ", has been removed or replaced while in use, so another process may have opened the"
                    + " store. All acknowledged writes are there; restart the application, and do not"
                    + " touch the files beside the store");
        }
    }

    /**
     * Releases the claim. The channel is closed first: after the file is free in the register, closing it could
     * release the lock of the next owner.
     */
    private static void release(String registered, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            System.getProperties().remove(registered);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel, Path file) {
        try {
            return channel.tryLock(LOCK_POSITION, 1, false);
        } catch (IOException e) {
            throw SqliteFiles.notOpened(file, "its filesystem has no file locks", "Put it on a local disk", e);
        }
    }

    /**
     * Writes the holder's name for others. A full disk does not prevent a claim, because only an open store can
     * delete entries.
     */
    private static void introduce(FileChannel channel, String self) throws IOException {
        try {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(self.getBytes(UTF_8)), 0);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            log.debug("The owner of a store could not be written to its lock file", e);
        }
    }

    /** Reads what the holder has written about itself, and makes it safe for a message. */
    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MAX_HOLDER_BYTES);
        channel.read(bytes, 0);
        String text = UTF_8.decode(bytes.flip()).toString().replaceAll("[^\\x20-\\x7E]", "");
        return text.isBlank() ? "another process" : text;
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!channel.isOpen()) {
            return; // closed before; by now the register may belong to the next owner
        }
        try {
            release(registered, channel); // which releases the lock
        } catch (IOException e) {
            // There is nothing more to do. The operating system releases the lock when the process ends, if not
            // before.
            log.warn("The lock file of a store could not be closed", e);
        }
    }
}
