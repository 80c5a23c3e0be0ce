package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.util.function.IntConsumer;

import dev.ttlstore.benchmark.server.RedisServer;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.params.SetParams;

/** Redis with keyspace events of what expires. */
final class RedisTeller implements ExpiryTeller {

    private static final int PUTS_PER_PIPELINE = 1_000;
    private static final String VALUE = "x".repeat(100);

    private final RedisServer server;
    private final Thread reader;

    RedisTeller(Path folder, IntConsumer told) {
        server = RedisServer.start(folder, "everysec");
        try (Jedis client = new Jedis(RedisServer.HOST, server.port())) {
            client.configSet("notify-keyspace-events", "Ex");
        }
        JedisPubSub events = new JedisPubSub() {
            @Override
            public void onMessage(String channel, String key) {
                told.accept(Integer.parseInt(key));
            }
        };
        reader = new Thread(() -> read(events), "redis-events");
        reader.setDaemon(true); // it ends with the server's connection
        reader.start();
    }

    private void read(JedisPubSub events) {
        try (Jedis client = new Jedis(RedisServer.HOST, server.port())) {
            client.subscribe(events, "__keyevent@0__:expired");
        }
    }

    @Override
    public void put(long[] expiresAt) {
        try (Jedis client = new Jedis(RedisServer.HOST, server.port())) {
            for (int from = 0; from < expiresAt.length; from += PUTS_PER_PIPELINE) {
                Pipeline pipeline = client.pipelined();
                for (int i = from; i < Math.min(from + PUTS_PER_PIPELINE, expiresAt.length); i++) {
                    pipeline.set(String.valueOf(i), VALUE, SetParams.setParams().pxAt(expiresAt[i]));
                }
                pipeline.sync();
            }
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
