package dev.ttlstore.export;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StorePathException;

import static java.util.Objects.requireNonNull;

/** What is imported, which is read twice: to check it, and to import it. Used by one thread. */
interface ImportSource extends Closeable {

    /** Its name in messages. */
    String name();

    /** Returns its size in bytes; 0 if it is not known before it was read. */
    long size() throws IOException;

    /** Opens it for the first time. */
    InputStream first() throws IOException;

    /** Opens it again, after it was read to its end. */
    InputStream again() throws IOException;

    /** Returns the failure to read it. */
    StorePathException unreadable(IOException cause);

    /** A file, as it is. */
    record OfFile(Path path) implements ImportSource {

        @Override
        public String name() {
            return path.toString();
        }

        @Override
        public long size() throws IOException {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new StorePathException(
                        path,
                        path + " is not a regular file, so it cannot be read twice, to check it and to import it",
                        "Import a pipe as a stream, on the command line with '-' for the standard input",
                        null);
            }
            return Files.size(path);
        }

        @Override
        public InputStream first() throws IOException {
            return Files.newInputStream(path);
        }

        @Override
        public InputStream again() throws IOException {
            return first();
        }

        @Override
        public StorePathException unreadable(IOException cause) {
            return new StorePathException(
                    path,
                    "The file " + path + " cannot be read: " + DiskFiles.reason(cause),
                    "Check its name, and that this user may read it",
                    cause);
        }

        @Override
        public void close() {}
    }

    /**
     * A stream, which is copied to a temporary file of this user while it is read for the first time. The file loses its name before it has
     * any content, so that not even a killed process leaves it behind; where a file in use keeps its name, until it is closed.
     */
    final class OfStream implements ImportSource {

        private static final Logger log = LoggerFactory.getLogger(OfStream.class);

        private final InputStream stream;
        private final Path copy;
        private final OutputStream out;
        private final InputStream kept;

        /** Creates the file. The stream stays open. */
        OfStream(InputStream stream) throws IOException {
            this.stream = stream;
            this.copy = Files.createTempFile("ttl-store-import", ".jsonl"); // for its owner only
            try {
                this.out = Files.newOutputStream(copy, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                this.kept = Files.newInputStream(copy, LinkOption.NOFOLLOW_LINKS);
            } catch (IOException e) {
                Files.deleteIfExists(copy);
                throw e;
            }
            try {
                Files.delete(copy);
            } catch (IOException e) {
                log.debug("The temporary file {} is removed when it is closed", copy, e);
            }
        }

        private Path folder() {
            return requireNonNull(copy.getParent());
        }

        @Override
        public String name() {
            return "the stream";
        }

        @Override
        public long size() {
            return 0;
        }

        @Override
        public InputStream first() {
            return new FilterInputStream(stream) {

                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
                }

                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    int read = in.read(bytes, from, length);
                    if (read > 0) {
                        keep(bytes, from, read);
                    }
                    return read;
                }

                @Override
                public void close() throws IOException {
                    out.close();
                }
            };
        }

        private void keep(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                if (DiskFiles.isDiskFull(folder())) {
                    throw new StoreFullException(
                            "The disk is full, so the stream cannot be kept in " + folder()
                                    + ", where it is read for a second time. Nothing was imported. Make room, or set"
                                    + " 'java.io.tmpdir' to a larger disk",
                            e);
                }
                throw e;
            }
        }

        @Override
        public InputStream again() {
            return kept;
        }

        @Override
        public StorePathException unreadable(IOException cause) {
            return new StorePathException(
                    folder(),
                    "The stream cannot be read, or not be kept in " + folder() + ": " + DiskFiles.reason(cause),
                    "Check where it comes from, and 'java.io.tmpdir'",
                    cause);
        }

        @Override
        public void close() throws IOException {
            try {
                out.close();
            } finally {
                kept.close();
                Files.deleteIfExists(copy);
            }
        }
    }
}
