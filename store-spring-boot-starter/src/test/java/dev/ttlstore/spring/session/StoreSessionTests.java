package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.FlashMap;

import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Sessions in a store in memory. */
class StoreSessionTests extends StoreSessionContract {

    private static final Duration ALMOST = Duration.ofMinutes(30).minusSeconds(20);

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();

    @Override
    Store store() {
        return store;
    }

    @Override
    void pass(Duration time) {
        clock.advance(time);
    }

    @Test
    void aSessionLivesForItsIntervalByTheClockOfTheStore() {
        StoreSessionRepository repository = repository();
        String id = saved(repository).getId();
        clock.advance(ALMOST);
        use(repository, id);
        clock.advance(ALMOST);
        assertThat(repository.findById(id)).isNotNull();
        clock.advance(Duration.ofSeconds(20));
        assertThat(repository.findById(id)).isNull();
    }

    /** As Spring's filter does it, whose clock does not move. */
    private static void use(StoreSessionRepository repository, String id) {
        StoreSession session = found(repository, id);
        session.setLastAccessedTime(Instant.now());
        repository.save(session);
    }

    @Test
    void theIndexLivesAsLongAsTheSession() {
        StoreSessionRepository repository = repository();
        String id = saved(repository, PRINCIPAL, "ann").getId();
        for (int i = 0; i < 20; i++) {
            clock.advance(i % 2 == 0 ? ALMOST : Duration.ofMinutes(7));
            use(repository, id);
            assertThat(repository.findByPrincipalName("ann")).containsOnlyKeys(id);
        }
        clock.advance(Duration.ofMinutes(30));
        assertThat(repository.findByPrincipalName("ann")).isEmpty();
        clock.advance(Duration.ofMinutes(90));
        store.purgeExpired();
        assertThat(store.count()).isZero();
        assertThat(store.stats().expired()).isZero();
    }

    /** Also if it is the first request in a while, which renews the index. */
    @Test
    void aDeletedSessionLeavesNothing() {
        clock.advance(Duration.ofMinutes(5)); // away from the border of two periods
        StoreSessionRepository repository = repository();
        String id = saved(repository, PRINCIPAL, "ann").getId();
        clock.advance(ALMOST);
        StoreSession session = found(repository, id);
        assertThat(session.isIndexDue()).isTrue();
        repository.deleteById(id);
        session.setLastAccessedTime(Instant.now());
        repository.save(session);
        assertThat(store.count()).isZero();
    }

    @Test
    void aSessionForEverOutlivesItsUser() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        session.setMaxInactiveInterval(Duration.ofSeconds(-1));
        repository.save(session);
        clock.advance(Duration.ofDays(36_500));
        assertThat(repository.findById(session.getId())).isNotNull();
    }

    private static JsonAttributes json() {
        return new JsonAttributes(
                AllowedClasses.of(List.of(
                        "dev.ttlstore.spring.session.*",
                        "org.springframework.web.servlet.FlashMap",
                        "org.springframework.util.LinkedMultiValueMap",
                        HalfSeen.class.getName())),
                "some.property",
                StoreSessionTests.class.getClassLoader());
    }

    /** A class without getters would be read as an empty object. */
    @Test
    void whatJacksonDoesNotSeeIsRefusedInJson() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json().encode(new Unseen()))
                .withMessageContaining("No serializer found for class " + Unseen.class.getName())
                .withMessageContaining("let them have getters or be records");
        assertThat(json().decode(json().encode(new Seen("a")))).isEqualTo(new Seen("a"));
    }

    @SuppressWarnings("UnusedVariable") // that is the point
    static final class Unseen {
        private final String item = "a";
    }

    record Seen(String item) {}

    /** P25: it was compared by its class alone. */
    @Test
    void attributesInJsonAreReadBackEqual() {
        ZonedDateTime zoned = ZonedDateTime.of(2030, 1, 1, 0, 0, 0, 1, ZoneId.of("Europe/Berlin"));
        for (Object value : List.of(5L, List.of(5L), Map.of("a", 5L), zoned, List.of(new Seen("a")))) {
            assertThat(json().decode(json().encode(value))).isEqualTo(value);
        }
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json().encode(new HalfSeen()))
                .withMessageContaining("HalfSeen.unseen")
                .withMessageNotContaining("hunter2");
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> json().encode(Map.of(5L, "hunter2")))
                .withMessageContaining("'[key]' a java.lang.Long would become a java.lang.String")
                .withMessageNotContaining("hunter2");
    }

    @SuppressWarnings("UnusedVariable") // that is the point
    static final class HalfSeen {
        public String seen = "a";
        private String unseen = "hunter2";
    }

    @Test
    void flashAttributesInJsonKeepTheirRequestAndTime() {
        FlashMap flash = new FlashMap();
        flash.put("message", "saved");
        flash.put("id", 5L);
        flash.put("none", null);
        flash.setTargetRequestPath("/books");
        flash.addTargetRequestParam("page", "1");
        flash.addTargetRequestParam("page", "2");
        flash.startExpirationPeriod(180);
        List<FlashMap> all = new CopyOnWriteArrayList<>(List.of(flash));
        List<?> read = (List<?>) json().decode(json().encode(all));
        assertThat(read).isEqualTo(all);
        assertThat(((FlashMap) read.get(0)).getExpirationTime()).isEqualTo(flash.getExpirationTime());
    }
}
