package dev.ttlstore.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.springframework.security.core.context.SecurityContext;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/** Sessions and their attributes: what is saved is found until it is deleted, also beside other requests. */
abstract class SessionAttributesContract extends SessionArea {

    @Test
    void aSessionWithoutAttributesIsFound() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getId()).isEqualTo(session.getId());
        assertThat(found.getAttributeNames()).isEmpty();
        assertThat(found.getCreationTime()).isEqualTo(session.getCreationTime());
        assertThat(found.getMaxInactiveInterval()).isEqualTo(Duration.ofMinutes(30));
        assertThat(found.isExpired()).isFalse();
    }

    @Test
    void attributesAreStoredUntilTheSessionIsDeleted() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("a", "b");
        session.setAttribute(CONTEXT, login("ann"));
        session.setAttribute(PRINCIPAL, "ann");
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getAttributeNames()).isEqualTo(session.getAttributeNames());
        assertThat(found.<String>getAttribute("a")).isEqualTo("b");
        assertThat(found.<SecurityContext>getAttribute(CONTEXT)).isEqualTo(login("ann"));
        repository.deleteById(session.getId());
        assertThat(repository.findById(session.getId())).isNull();
        assertThat(store().count()).isZero();
    }

    @Test
    void anotherAttributeLeavesTheFirstAlone() {
        StoreSessionRepository repository = repository();
        StoreSession session = found(repository, saved(repository, "a", "b").getId());
        session.setAttribute("1", "2");
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getAttributeNames()).containsExactlyInAnyOrder("a", "1");
        assertThat(found.<String>getAttribute("a")).isEqualTo("b");
        assertThat(found.<String>getAttribute("1")).isEqualTo("2");
    }

    @Test
    void anAttributeCanBeSetAndRemovedInAnyOrder() {
        StoreSessionRepository repository = repository();
        StoreSession session =
                found(repository, saved(repository, "kept", "1", "changed", "1").getId());
        session.setAttribute("new", "1");
        session.setAttribute("new", "2");
        session.setAttribute("brief", "1");
        session.removeAttribute("brief");
        session.setAttribute("kept", "2");
        session.removeAttribute("kept");
        session.removeAttribute("changed");
        session.setAttribute("changed", "2");
        session.removeAttribute("unknown");
        repository.save(session);
        StoreSession found = found(repository, session.getId());
        assertThat(found.getAttributeNames()).containsExactlyInAnyOrder("new", "changed");
        assertThat(found.<String>getAttribute("new")).isEqualTo("2");
        assertThat(found.<String>getAttribute("changed")).isEqualTo("2");
    }

    @Test
    void aDeletedSessionDoesNotComeBack() {
        StoreSessionRepository repository = repository();
        StoreSession used = saved(repository, PRINCIPAL, "ann");
        StoreSession changed = found(repository, used.getId());
        StoreSession renamed = found(repository, used.getId());
        repository.deleteById(used.getId());
        used.setLastAccessedTime(Instant.now());
        repository.save(used);
        changed.setAttribute("a", "b");
        repository.save(changed);
        renamed.changeSessionId();
        renamed.setAttribute(PRINCIPAL, "bob");
        repository.save(renamed);
        assertThat(repository.findById(used.getId())).isNull();
        assertThat(repository.findById(renamed.getId())).isNull();
        assertThat(store().count()).isZero();
    }

    @Test
    void anAttributeMayBeLarge() {
        StoreSessionRepository repository = repository();
        StoreSession session = repository.createSession();
        session.setAttribute("large", new byte[4000]);
        repository.save(session);
        assertThat(found(repository, session.getId()).<byte[]>getAttribute("large"))
                .hasSize(4000);
    }

    @Test
    void theLastRequestThatSetsAnAttributeWins() {
        StoreSessionRepository repository = repository();
        StoreSession session = saved(repository);
        StoreSession other = found(repository, session.getId());
        other.setAttribute("a", "1");
        repository.save(other);
        session.setAttribute("a", "2");
        repository.save(session);
        assertThat(found(repository, session.getId()).<String>getAttribute("a")).isEqualTo("2");
    }

    /** The second save of a request knows no more than the first one of what another request has changed. */
    @Test
    void aRequestThatSavesTwiceLosesNoChangeOfAnother() {
        StoreSessionRepository repository = repository();
        String id = saved(repository, "one", "1", "other", "1").getId();
        StoreSession session = found(repository, id);
        StoreSession another = found(repository, id);
        session.setAttribute("one", "2");
        repository.save(session);
        another.setAttribute("other", "2");
        repository.save(another);
        for (String value : List.of("3", "4", "5")) {
            session.setAttribute("one", value);
            repository.save(session);
        }
        StoreSession seen = found(repository, id);
        assertThat(seen.<String>getAttribute("one")).isEqualTo("5");
        assertThat(seen.<String>getAttribute("other")).isEqualTo("2");
    }

    @Test
    void concurrentRequestsLoseNoChangeOfEachOther() throws Exception {
        StoreSessionRepository repository = repository();
        String id = saved(repository).getId();
        int requests = 8;
        CountDownLatch loaded = new CountDownLatch(requests);
        ExecutorService threads = Executors.newFixedThreadPool(requests);
        try {
            List<Future<?>> running = new CopyOnWriteArrayList<>();
            for (int i = 0; i < requests; i++) {
                String name = "attribute" + i;
                running.add(threads.submit(() -> {
                    StoreSession session = found(repository, id);
                    loaded.countDown();
                    assertThat(loaded.await(60, SECONDS)).isTrue();
                    session.setAttribute(name, "value");
                    session.setLastAccessedTime(Instant.now());
                    repository.save(session);
                    return null;
                }));
            }
            for (Future<?> request : running) {
                request.get(60, SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(found(repository, id).getAttributeNames()).hasSize(requests);
    }
}
