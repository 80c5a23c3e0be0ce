package dev.ttlstore.spring.benchmark;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.spring.lock.StoreLockProvider;

import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

/** ShedLock's locks. */
final class LockRaces {

    private static final String TABLE =
            "CREATE TABLE shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,"
                    + " locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)";

    private LockRaces() {}

    static List<Race> of(Bench bench) {
        Map<Side, LockProvider> providers = new EnumMap<>(Side.class);
        bench.stores().forEach((side, store) -> providers.put(side, new StoreLockProvider(store)));
        bench.database().jdbc().execute(TABLE);
        providers.put(
                Side.JDBC,
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(bench.database().jdbc())
                        .usingDbTime()
                        .build()));
        bench.redis().forEach((side, redis) -> providers.put(side, new RedisLockProvider(redis.connections())));
        Race free = new Race("ShedLock: lock and unlock", 1);
        Race held = new Race("ShedLock: a lock that is held", 1);
        providers.forEach((side, provider) -> {
            free.add(side, () -> provider.lock(
                            named("of " + Thread.currentThread().getId()))
                    .orElseThrow()
                    .unlock());
            Race.require(provider.lock(named("held")).isPresent(), "the lock is held already");
            held.add(side, () -> Race.require(provider.lock(named("held")).isEmpty(), "the lock is free"));
        });
        return List.of(free, held);
    }

    private static LockConfiguration named(String name) {
        return new LockConfiguration(ClockProvider.now(), name, Duration.ofHours(1), Duration.ZERO);
    }
}
