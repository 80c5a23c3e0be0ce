package dev.ttlstore.spring.benchmark;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.ttlstore.spring.ratelimit.StoreProxyManager;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;

/** Bucket4j's buckets, none of which is ever empty. */
final class BucketRaces {

    private static final long TOKENS = 1_000_000_000;

    private static final BucketConfiguration CONFIGURATION = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(TOKENS).refillGreedy(TOKENS, Duration.ofHours(1)))
            .build();

    private static final String TABLE =
            "CREATE TABLE %s (id bigint PRIMARY KEY, state bytea, expires_at bigint NOT NULL DEFAULT 0)";

    private BucketRaces() {}

    static List<Race> of(Bench bench) {
        Map<Side, LongFunction<Bucket>> sides = new EnumMap<>(Side.class);
        bench.stores()
                .forEach((side, store) -> sides.put(
                        side,
                        numbered(StoreProxyManager.<Long>builderFor(store, String::valueOf)
                                .build())));
        bench.redis().forEach((side, redis) -> sides.put(side, onRedis(redis)));
        for (String table : List.of("advisory", "for_update")) {
            bench.database().jdbc().execute(TABLE.formatted(table));
        }
        LongFunction<Bucket> advisory = numbered(
                Bucket4jPostgreSQL.advisoryLockBasedBuilder(bench.database().pool())
                        .table("advisory")
                        .build());
        LongFunction<Bucket> forUpdate = numbered(
                Bucket4jPostgreSQL.selectForUpdateBasedBuilder(bench.database().pool())
                        .table("for_update")
                        .build());
        Race alone = new Race("Bucket4j: one bucket; advisory lock", 1);
        Race together = new Race("Bucket4j: one bucket, 8 threads; advisory lock", 8);
        Race many = new Race("Bucket4j: 2,000 buckets; advisory lock", 1);
        Race manyTogether = new Race("Bucket4j: 2,000 buckets, 8 threads; advisory lock", 8);
        Race rows = new Race("Bucket4j: 2,000 buckets; SELECT FOR UPDATE", 1);
        sides.values().forEach(BucketRaces::fill);
        fill(advisory);
        fill(forUpdate);
        sides.forEach((side, buckets) -> rows.add(side, () -> consume(buckets.apply(Bench.random()))));
        rows.add(Side.JDBC, () -> consume(forUpdate.apply(Bench.random())));
        sides.put(Side.JDBC, advisory);
        sides.forEach((side, buckets) -> {
            alone.add(side, () -> consume(buckets.apply(-1)));
            together.add(side, () -> consume(buckets.apply(-1)));
            many.add(side, () -> consume(buckets.apply(Bench.random())));
            manyTogether.add(side, () -> consume(buckets.apply(Bench.random())));
        });
        return List.of(alone, together, many, manyTogether, rows);
    }

    private static LongFunction<Bucket> numbered(ProxyManager<Long> manager) {
        return key -> manager.builder().build(key, () -> CONFIGURATION);
    }

    private static void fill(LongFunction<Bucket> buckets) {
        Bench.forEachKey(key -> consume(buckets.apply(key)));
    }

    private static LongFunction<Bucket> onRedis(Redis redis) {
        LettuceConnectionFactory connections = redis.connections();
        ProxyManager<byte[]> manager = Bucket4jLettuce.casBasedBuilder(
                        (RedisClient) connections.getRequiredNativeClient())
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofMinutes(1)))
                .build();
        return key ->
                manager.builder().build(String.valueOf(key).getBytes(StandardCharsets.US_ASCII), () -> CONFIGURATION);
    }

    private static void consume(Bucket bucket) {
        Race.require(bucket.tryConsume(1), "the bucket is empty");
    }
}
