package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces the file names in a folder to the disk. Otherwise a power cut can lose a file's name, and with it the file,
 * even if its own bytes are on the disk.
 */
@FunctionalInterface
interface FolderSync {

    Logger log = LoggerFactory.getLogger(FolderSync.class);

    /** Forces the names of files that were created in a folder to the disk. */
    void sync(Path folder);

    /** Syncs a folder as far as the system allows it. Windows does not, and stores file names in a different way. */
    static void toDisk(Path folder) {
        boolean interrupted = false;
        boolean done = false;
        while (!done) {
            interrupted |= Thread.interrupted(); // otherwise the channel would close at its first use
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
                done = true;
            } catch (ClosedByInterruptException e) {
                interrupted = true; // interrupted at this very moment: try again
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
