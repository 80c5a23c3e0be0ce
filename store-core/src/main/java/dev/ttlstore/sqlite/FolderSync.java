package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the disk take the names in a folder: a file whose own bytes it has is lost with its name in a power cut. */
@FunctionalInterface
interface FolderSync {

    Logger log = LoggerFactory.getLogger(FolderSync.class);

    /** Has the disk take what was created in a folder. */
    void sync(Path folder);

    /** Syncs a folder as far as the system lets it: Windows does not, and keeps the names of files in another way. */
    static void toDisk(Path folder) {
        boolean interrupted = false;
        boolean done = false;
        while (!done) {
            interrupted |= Thread.interrupted(); // or the channel would close at its first use
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
                done = true;
            } catch (ClosedByInterruptException e) {
                interrupted = true; // at that very moment: once more
            } catch (IOException e) {
                log.debug(
                        "The folder {} cannot be synced; its file names reach the disk when the system writes them",
                        folder,
                        e);
                done = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
