package dev.ttlstore.sqlite;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StorePathException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(23)
class LocalDiskTests {

    private static final Path FILE = Path.of("data", "store.db");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nfs",
                "nfs4",
                "NFS",
                "cifs",
                "smb3",
                "smbfs",
                "9p",
                "ceph",
                "glusterfs",
                "lustre",
                "fuse.sshfs",
                "webdav"
            })
    void aNetworkFilesystemIsRefusedByItsName(String type) {
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreFile.requireLocal(type, FILE))
                .withMessageContaining(FILE.toString())
                .withMessageContaining("(" + type + ")")
                .withMessageContaining("Put it on a local disk")
                .satisfies(failure -> assertThat(failure.path()).isEqualTo(FILE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "apfs", "hfs", "NTFS", "ntfs", "fuseblk"})
    void aLocalFilesystemIsAccepted(String type) {
        assertThatCode(() -> StoreFile.requireLocal(type, FILE)).doesNotThrowAnyException();
    }
}
