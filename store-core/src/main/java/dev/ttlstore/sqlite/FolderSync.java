package dev.ttlstore.sqlite;

import java.nio.file.Path;

/** Forces the names of files that were created in a folder to the disk, so that a power cut does not lose them. */
@FunctionalInterface
interface FolderSync {

    /** Forces the names of files that were created in a folder to the disk. */
    void sync(Path folder);
}
