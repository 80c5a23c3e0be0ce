package dev.ttlstore.spring.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;
import org.springframework.session.data.redis.RedisIndexedSessionRepository;
import org.springframework.session.data.redis.RedisSessionRepository;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.session.StoreSessionRepository;
import dev.ttlstore.spring.session.StoreSessionSettings;

import static java.util.Objects.requireNonNull;

/** Spring Session's sessions, with an attribute of 100 characters and the name of the user. */
final class SessionRaces {

    private static final String VALUE = "v".repeat(100);

    private static final StoreSessionSettings SETTINGS =
            StoreSessionSettings.of(Duration.ofMinutes(30), new JavaCodec(AllowedClasses.of(List.of()), "none", null));

    private final Race create = new Race("session: create and save", 1);
    private final Race request = new Race("session: read, touch and save; Redis with an index", 1);
    private final Race requests = new Race("session: read, touch and save, 8 threads; Redis with an index", 8);
    private final Race change = new Race("session: read, change and save", 1);
    private final Race plain = new Race("session: read, touch and save; Redis without an index", 1);
    private final Race ofUser = new Race("session: sessions of a user", 1);

    private SessionRaces() {}

    static List<Race> of(Bench bench) {
        SessionRaces races = new SessionRaces();
        bench.stores()
                .forEach((side, store) -> races.add(side, new StoreSessionRepository(store, SETTINGS, event -> {})));
        bench.database().script("org/springframework/session/jdbc/schema-postgresql.sql");
        races.add(
                Side.JDBC,
                new JdbcIndexedSessionRepository(
                        bench.database().jdbc(),
                        new TransactionTemplate(bench.database().transactions())));
        bench.redis().forEach((side, redis) -> {
            races.add(side, new RedisIndexedSessionRepository(template(redis)));
            races.addPlain(side, new RedisSessionRepository(template(redis)));
        });
        return List.of(races.create, races.request, races.requests, races.change, races.plain, races.ofUser);
    }

    private static RedisTemplate<String, Object> template(Redis redis) {
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setKeySerializer(RedisSerializer.string());
        template.setHashKeySerializer(RedisSerializer.string());
        template.setConnectionFactory(redis.connections());
        template.afterPropertiesSet();
        return template;
    }

    private <S extends Session> void add(Side side, FindByIndexNameSessionRepository<S> repository) {
        List<String> ids = fill(repository);
        create.add(side, () -> create(repository, Bench.random()));
        request.add(side, () -> touch(repository, ids));
        requests.add(side, () -> touch(repository, ids));
        change.add(side, () -> change(repository, ids));
        if (side == Side.FILE || side == Side.POSTGRESQL || side == Side.JDBC) {
            plain.add(side, () -> touch(repository, ids));
        }
        for (int i = 0; i < 2; i++) {
            create(repository, -1);
        }
        ofUser.add(side, () -> {
            Map<String, S> found = repository.findByPrincipalName("user -1");
            Race.require(found.size() == 2, found.size() + " sessions");
        });
    }

    private <S extends Session> void addPlain(Side side, SessionRepository<S> repository) {
        List<String> ids = fill(repository);
        plain.add(side, () -> touch(repository, ids));
    }

    private static <S extends Session> List<String> fill(SessionRepository<S> repository) {
        List<String> ids = new CopyOnWriteArrayList<>();
        Bench.forEachKey(key -> ids.add(create(repository, key)));
        return List.copyOf(ids);
    }

    private static <S extends Session> String create(SessionRepository<S> repository, int user) {
        S session = repository.createSession();
        session.setAttribute("cart", VALUE);
        session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, "user " + user);
        repository.save(session);
        return session.getId();
    }

    /** What a request does that puts something into its session. */
    private static <S extends Session> void change(SessionRepository<S> repository, List<String> ids) {
        S session = requireNonNull(repository.findById(ids.get(Bench.random())));
        session.setLastAccessedTime(Instant.now());
        session.setAttribute("cart", VALUE); // one that is there, because JDBC cannot add one twice at the same time
        repository.save(session);
    }

    /** What a request does with its session. */
    private static <S extends Session> void touch(SessionRepository<S> repository, List<String> ids) {
        S session = requireNonNull(repository.findById(ids.get(Bench.random())));
        Race.require(VALUE.equals(session.getAttribute("cart")), "another session");
        session.setLastAccessedTime(Instant.now());
        repository.save(session);
    }
}
