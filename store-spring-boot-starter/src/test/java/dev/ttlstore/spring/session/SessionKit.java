package dev.ttlstore.spring.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.FlushMode;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.session.events.AbstractSessionEvent;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;

import static java.util.Objects.requireNonNull;

/** What tests of sessions share: a store, repositories on it, and the events that these publish. */
abstract class SessionKit {

    static final String PRINCIPAL = FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;
    static final String CONTEXT = "SPRING_SECURITY_CONTEXT";

    final List<AbstractSessionEvent> events = new CopyOnWriteArrayList<>();

    private final JavaCodec codec =
            new JavaCodec(AllowedClasses.of(List.of("org.springframework.security.**")), "some.property", null);

    /** Returns the store, which is empty. */
    abstract Store store();

    /** Moves the clock of the store, if it does not move by itself. */
    void pass(Duration time) {}

    final StoreSessionRepository repository() {
        return repository(SaveMode.ON_SET_ATTRIBUTE, FlushMode.ON_SAVE);
    }

    final StoreSessionRepository repository(SaveMode save, FlushMode flush) {
        return new StoreSessionRepository(
                store(), settings().withModes(save, flush), event -> events.add((AbstractSessionEvent) event));
    }

    final StoreSessionSettings settings() {
        return StoreSessionSettings.of(MapSession.DEFAULT_MAX_INACTIVE_INTERVAL, codec);
    }

    final StoreSession saved(StoreSessionRepository repository, String... attributes) {
        StoreSession session = repository.createSession();
        for (int i = 0; i < attributes.length; i += 2) {
            session.setAttribute(attributes[i], attributes[i + 1]);
        }
        repository.save(session);
        return session;
    }

    static StoreSession found(StoreSessionRepository repository, String id) {
        return requireNonNull(repository.findById(id), "no session");
    }

    static SecurityContext login(String name) {
        return new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(
                name, "na", AuthorityUtils.createAuthorityList("ROLE_USER")));
    }

    static Map<String, StoreSession> of(StoreSessionRepository repository, String name) {
        return repository.findByPrincipalName(name);
    }
}
