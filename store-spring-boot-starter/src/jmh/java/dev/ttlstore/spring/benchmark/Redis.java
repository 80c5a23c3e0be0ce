package dev.ttlstore.spring.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.ttlstore.benchmark.server.RedisServer;

/** A Redis server and connections to it, as Boot's starter for Redis makes them. */
final class Redis implements AutoCloseable {

    private final RedisServer server;
    private final LettuceConnectionFactory connections;

    /**
     * Starts it.
     *
     * @param folder the folder for its files, which is created
     * @param fsync when it syncs its log: "everysec" or "always"
     */
    Redis(Path folder, String fsync) {
        try {
            server = RedisServer.start(Files.createDirectory(folder), fsync);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(RedisServer.HOST, server.port()));
        connections.afterPropertiesSet();
        connections.start();
    }

    LettuceConnectionFactory connections() {
        return connections;
    }

    @Override
    public void close() {
        connections.destroy();
        server.close();
    }
}
