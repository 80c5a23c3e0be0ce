package dev.ttlstore.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

import static org.junit.jupiter.api.Assumptions.abort;

/** Files of other users. */
public final class FileOwners {

    private FileOwners() {}

    /** Gives a file to another user, who is returned. Aborts the test if this user may not do that. */
    public static UserPrincipal giveAway(Path file) throws IOException {
        try {
            UserPrincipal other =
                    file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
            Files.setOwner(file, other);
            return other;
        } catch (IOException e) {
            return abort("only an administrator can give files away: " + e);
        }
    }
}
