package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.postgresql.TestServer;

import static java.util.Objects.requireNonNullElse;

/** A database that somebody else has started, such as a distributed one. Nothing strikes it. */
final class GivenServer implements Servers {

    private final PGSimpleDataSource source = TestServer.dataSource();

    GivenServer(Path servers) throws IOException {
        drop();
        Servers.publish(
                servers,
                requireNonNullElse(source.getURL(), ""),
                requireNonNullElse(source.getUser(), ""),
                requireNonNullElse(source.getPassword(), ""));
    }

    @Override
    public PGSimpleDataSource dataSource() {
        return source;
    }

    @Override
    public PGSimpleDataSource admin() {
        return source;
    }

    @Override
    public void crash(Runnable meanwhile) {
        throw new UnsupportedOperationException("The server belongs to others");
    }

    @Override
    public void prepareStandby() {
        throw new UnsupportedOperationException("The server belongs to others");
    }

    @Override
    public void failOver(Runnable meanwhile) {
        throw new UnsupportedOperationException("The server belongs to others");
    }

    private void drop() throws IOException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute("DROP SCHEMA IF EXISTS " + Names.SCHEMA + " CASCADE");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        drop();
    }
}
