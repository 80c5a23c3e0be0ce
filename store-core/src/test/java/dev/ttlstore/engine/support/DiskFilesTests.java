package dev.ttlstore.engine.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.FileOwners;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What an administrator does to files in a folder where somebody else may put a link in the place of a file at any moment. */
@DisabledOnOs(OS.WINDOWS)
class DiskFilesTests {

    @TempDir
    private Path folder;

    private Path precious;
    private Path link;

    @BeforeEach
    void create() throws IOException {
        precious = Files.writeString(folder.resolve("precious"), "text");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
        link = Files.createSymbolicLink(folder.resolve("link"), precious);
    }

    /** Otherwise the owner of a store could have the administrator's files by running in between. */
    @Test
    void aFileBehindALinkIsNotGivenAway() throws IOException {
        UserPrincipal administrator = Files.getOwner(precious);
        Path main = Files.createFile(folder.resolve("main"));
        UserPrincipal other = FileOwners.giveAway(main);
        DiskFiles.give(main, link);
        assertThat(Files.getOwner(precious)).isEqualTo(administrator);
        assertThat(Files.getOwner(link, LinkOption.NOFOLLOW_LINKS)).isEqualTo(other);
    }

    @Test
    void aFileBehindALinkKeepsItsPermissions() throws IOException {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> DiskFiles.restrict(link));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(precious)))
                .isEqualTo("rw-r--r--");
    }
}
