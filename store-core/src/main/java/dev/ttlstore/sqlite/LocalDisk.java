package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * Recognizes filesystems of other machines. SQLite's WAL needs shared memory between all processes that have the file
 * open, and reliable locks. Network filesystems have neither, and commits may be lost silently.
 */
final class LocalDisk {

    private static final Set<String> NETWORK_TYPES = Set.of(
            "9p",
            "afs",
            "beegfs",
            "ceph",
            "cifs",
            "coda",
            "fuse.ceph",
            "fuse.cephfs",
            "fuse.gcsfuse",
            "fuse.glusterfs",
            "fuse.rclone",
            "fuse.s3fs",
            "fuse.sshfs",
            "glusterfs",
            "gpfs",
            "lustre",
            "ncpfs",
            "nfs",
            "nfs3",
            "nfs4",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "webdav");

    private LocalDisk() {}

    static void require(String type, Path path) {
        if (NETWORK_TYPES.contains(type.toLowerCase(Locale.ROOT))) {
            throw SqliteFiles.notOpened(
                    path,
                    "its folder is on a network filesystem (" + type
                            + "), where SQLite's write-ahead log can lose commits",
                    "Put it on a local disk",
                    null);
        }
    }
}
