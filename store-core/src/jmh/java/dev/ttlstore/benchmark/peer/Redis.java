package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.benchmark.server.RedisServer;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.params.SetParams;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Redis over loopback, with a connection for each of as many threads as the benchmarks have. */
final class Redis implements Peer {

    private static final int CLIENTS = 128;

    private final RedisServer server;

    /** Last in, first out, so that a lone thread stays with its connection. */
    private final BlockingDeque<Jedis> idle = new LinkedBlockingDeque<>();

    Redis(Path folder, String fsync) {
        this.server = RedisServer.start(folder, fsync);
        for (int i = 0; i < CLIENTS; i++) {
            idle.addFirst(new Jedis(RedisServer.HOST, server.port()));
        }
    }

    private interface Call<R extends @Nullable Object> {
        R with(Jedis client);
    }

    private <R extends @Nullable Object> R call(Call<R> call) {
        try {
            Jedis client = idle.takeFirst();
            try {
                return call.with(client);
            } finally {
                idle.addFirst(client);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static byte[] name(String group, String key) {
        return (group + ':' + key).getBytes(UTF_8);
    }

    @Override
    public void load(Dataset data) {
        for (Dataset.Page page : data.pages()) {
            call(client -> {
                Pipeline pipeline = client.pipelined();
                for (int i = page.from(); i < page.to(); i++) {
                    pipeline.set(name(page.group(), data.key(i)), data.value(i), living(TTL));
                }
                pipeline.sync();
                return true;
            });
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        call(client -> client.set(name(group, key), value, living(ttl)));
    }

    private static SetParams living(Duration ttl) {
        return SetParams.setParams().px(ttl.toMillis());
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        return this.<byte @Nullable []>call(client -> client.get(name(group, key)));
    }

    @Override
    public void close() {
        idle.forEach(Jedis::close);
        server.close();
    }
}
