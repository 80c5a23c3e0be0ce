package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.List;

import org.postgresql.ds.PGSimpleDataSource;

/** The database of a campaign, and what may strike it. */
interface Servers extends AutoCloseable {

    /** Creates a data source for the role of the nodes. */
    PGSimpleDataSource dataSource();

    /** Creates a data source for a role that may read the statistics of the server. */
    PGSimpleDataSource admin();

    /** Kills the primary and starts it again. */
    void crash(Runnable meanwhile) throws IOException;

    /** Starts a standby. From now on, a commit is acknowledged when the standby has it, too. */
    void prepareStandby() throws IOException, SQLException;

    /** Kills the primary for good, and lets the standby take over. */
    void failOver(Runnable meanwhile) throws IOException;

    @Override
    void close() throws IOException;

    /** Tells the nodes, by a file, how to connect from now on. */
    static void publish(Path file, String url, String user, String password) throws IOException {
        Path draft = Files.write(file.resolveSibling("servers.draft"), List.of(url, user, password));
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
